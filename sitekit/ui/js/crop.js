// @ts-check
// How a record crops its picture: "#x,y" or "#x,y,zoom" behind the address; see sitekit/records/pictures/addresses.py.
const CROP = /#(\d\d?|100),(\d\d?|100)(?:,([12](?:\.\d)?|3))?$/;
/** @typedef {{ x: number, y: number, zoom: number }} Crop In percent of what is cut off; 1 to 3 times. */

export const WHOLE = { x: 50, y: 50, zoom: 1 };

export const withoutCrop = (/** @type {string} */ address) => address.replace(CROP, "");

/**
 * @param {string} address
 * @returns {Crop}
 */
export function cropOf(address) {
  const [, x, y, zoom = 1] = CROP.exec(address) ?? [];
  return x === undefined ? WHOLE : { x: Number(x), y: Number(y), zoom: Number(zoom) };
}

/**
 * @param {string} address
 * @param {Crop} crop
 */
export function withCrop(address, { x, y, zoom }) {
  const isWhole = x === WHOLE.x && y === WHOLE.y && zoom === WHOLE.zoom;
  return withoutCrop(address) + (isWhole ? "" : `#${x},${y}${zoom > 1 ? `,${zoom}` : ""}`);
}

/**
 * What an <img> with 'object-fit: cover' needs to obey the crop, whatever the shape of its place.
 * @param {string} address
 */
export function cropStyle(address) {
  const { x, y, zoom } = cropOf(address);
  if (withoutCrop(address) === address) return undefined;
  const position = `${x}% ${y}%`;
  if (zoom === 1) return { objectPosition: position };
  // The part that is seen, enlarged until it fills the place; the corners and the room for a border are those of the place.
  const cut = (/** @type {number} */ percent) => `calc(${((percent * (zoom - 1)) / zoom).toFixed(2)}% + var(--ring, 0px) / ${zoom})`;
  const corners = `round calc(var(--corner, 0px) / ${zoom})`;
  const clipPath = `inset(${cut(y)} ${cut(100 - x)} ${cut(100 - y)} ${cut(x)} ${corners})`;
  return { objectPosition: position, scale: `${zoom}`, transformOrigin: position, clipPath };
}
