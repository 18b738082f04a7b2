/** Copies a text. @throws Error if the client does not permit it */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A client that did not grant the permission for the clipboard may still allow `execCommand` after a click.
    copySelected(text);
  }
}

function copySelected(text: string): void {
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error('This client does not let views copy.');
}
