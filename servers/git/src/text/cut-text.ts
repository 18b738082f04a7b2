/** As many whole lines as fit into a number of bytes; of a first line that alone is longer, as much as fits. */
export function cutText(text: string, maxBytes: number): { readonly text: string; readonly truncated: boolean } {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return { text, truncated: false };
  const end = bytes.lastIndexOf('\n', maxBytes - 1) + 1;
  return { text: new TextDecoder().decode(bytes.subarray(0, end === 0 ? maxBytes : end), { stream: true }), truncated: true };
}
