/** A text without one character at its end, however often the character is there. Linear, which `/x+$/` is not. */
export function trimEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
