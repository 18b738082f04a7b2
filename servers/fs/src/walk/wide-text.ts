import fs from 'node:fs';

/** Whether a file begins with the byte order mark of UTF-16. */
export function isWide(bytes: Uint8Array): boolean {
  return isLittle(bytes) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** Such a file as UTF-8, without its mark. */
export function readWide(descriptor: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size);
  const whole = bytes.subarray(0, fs.readSync(descriptor, bytes, 0, size, 0) & ~1);
  const units = isLittle(whole) ? whole : whole.swap16();
  return Buffer.from(units.toString('utf16le', 2));
}

function isLittle([first, second]: Uint8Array): boolean {
  return first === 0xff && second === 0xfe;
}
