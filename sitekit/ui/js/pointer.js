// @ts-check
// A click goes to the element of the pointerdown: an error that disappears in between would move the button away.
/** @param {{ currentTarget: Element, pointerId: number }} event */
export function holdPointer(event) {
  event.currentTarget.setPointerCapture(event.pointerId);
}
