import { isLoopback } from '../http-messages/listen-address.ts';

/** Whether responses from a URL are authentic: `https:`, or `http:` within this machine. */
export function isSecureUrl(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocalUrl(url));
}

/** Whether the host of a URL is this machine. */
export function isLocalUrl({ hostname }: URL): boolean {
  return isLoopback(hostname.replaceAll(/[[\]]/g, ''));
}
