import { randomBytes } from 'node:crypto';

/** Returns 192 random bits as URL-safe text. */
export function newPassword(): string {
  return randomBytes(24).toString('base64url');
}
