import { randomBytes } from 'node:crypto';

/** A password that nobody can guess and nobody has to type. */
export function newPassword(): string {
  return randomBytes(24).toString('base64url');
}
