import type { Route } from './http-server.ts';
import { methodNotAllowed } from './refusal.ts';

/** What a probe is told. */
export interface Health {
  readonly status: 200 | 503;
  readonly text: string;
}

/** A page for those who watch over the process: without a name it has to be asked by, and without a token. */
export function probe(look: () => Health): Route {
  return {
    isOpen: true,
    serve({ method }, response) {
      if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
      const { status, text } = look();
      response.writeHead(status, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' }).end(`${text}\n`);
    },
  };
}
