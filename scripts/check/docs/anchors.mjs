/** Returns the anchor of a heading. GitHub, npm and the site derive it in the same way. */
export function toAnchor(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

/**
 * Returns the anchors of all headings of a Markdown text outside code blocks, and of all elements `<a id>` and `<a name>`. The
 * anchors of repeated headings have a number at the end.
 */
export function readAnchors(text) {
  const counts = new Map();
  const headings = Array.from(withoutCode(text).matchAll(/^#{1,6} (.+)$/gm), ([, heading]) => heading);
  const named = Array.from(text.matchAll(/<a (?:id|name)="([^"]+)"/g), ([, id]) => id);
  const anchors = headings.map((heading) => {
    const anchor = toAnchor(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, ''));
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
  return new Set([...anchors, ...named]);
}

/** Removes the code blocks of a Markdown text. */
export function withoutCode(text) {
  return text.replaceAll(/^ *(`{3,}).*?^ *\1 *$/gms, '');
}
