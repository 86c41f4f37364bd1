// @ts-check
// What the site changes of the settings of Vite; see sitekit/server/framework/vite_settings.py.

/**
 * The server with hot reload listens on localhost only. Reflex starts it with `--host`, for all addresses, and of Vite's
 * settings only those of a plugin override that.
 */
export const onLocalhost = { name: "localhost", config: () => ({ server: { host: "127.0.0.1" } }) };

const PLAIN = decodeURIComponent(new URL("./plain_jsx.js", import.meta.url).pathname);

/**
 * Pages draw with React alone. Reflex writes them for Emotion, which would come with every page, and makes classes of the
 * styles of components; ours have those of the stylesheets. Chakra, which is loaded later, brings Emotion.
 */
export const plainJsx = {
  name: "plain-jsx",
  enforce: "pre",
  resolveId(/** @type {string} */ source, importer = "") {
    const isPage = source === "@emotion/react" && !/\/node_modules\/|\/ui\/chakra\.jsx$/.test(importer);
    return isPage ? PLAIN : null;
  },
};
