// What the pointer went down on is pressed: an error that goes at that moment moves the button from under it.
export function holdPointer(event) {
  event.currentTarget.setPointerCapture(event.pointerId);
}
