import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';

/** URL of the page of the host. The test itself answers requests for this URL. */
export const HOST_URL = 'https://host.invalid/';
/** URL of the view in the frame of that page. The test itself answers requests for this URL. */
export const VIEW_URL = 'https://view.invalid/';

/** Name of the function with which the page passes on what the view sends. */
const RECEIVE = 'receiveFromView';

/** Returns a page with the view in a frame that may only run scripts and use the permitted devices. */
export function createHostPage(permissions: readonly string[]): string {
  // The sandboxed frame has an opaque origin. In the `allow` attribute, only `*` matches an opaque origin.
  const allow = permissions.map((name) => `${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} *`).join('; ');
  return `<!doctype html><title>Host</title>
<style>html, body, iframe { margin: 0; width: 100%; height: 100%; border: 0; display: block; }</style>
<iframe title="View" sandbox="allow-scripts" allow="${allow}"></iframe>
<script>
  const frame = document.querySelector('iframe');
  addEventListener('message', ({ source, data }) => { if (source === frame.contentWindow) ${RECEIVE}(data); });
  frame.src = '${VIEW_URL}';
</script>`;
}

/** Carries the messages between the bridge in this process and the view in the browser. */
export class PageTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Starts to receive the messages of the view. Must be called before the page is opened. */
  async start(): Promise<void> {
    await this.#page.exposeFunction(RECEIVE, (message: JSONRPCMessage) => this.onmessage?.(message));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const text = JSON.stringify(message);
    await this.#page.evaluate(`frame.contentWindow.postMessage(${text}, '*')`);
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }
}
