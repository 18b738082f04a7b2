import { isLoopback } from '../http/listen-address.ts';

/** Whether what comes from a URL can be trusted to be its owner's: `https:`, or `http:` that does not leave this machine. */
export function isSecureUrl(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocalUrl(url));
}

/** Whether a URL names this machine. */
export function isLocalUrl({ hostname }: URL): boolean {
  return isLoopback(hostname.replaceAll(/[[\]]/g, ''));
}
