import type { MetricsPage } from '../info/metrics.ts';
import type { Route } from './http-server.ts';
import type { Protection } from './protection.ts';
import { methodNotAllowed } from './refusal.ts';

/** Tells the metrics to whoever may ask for anything. */
export function metricsRoute(page: MetricsPage, protection: Protection | undefined): Route {
  return {
    async serve(request, response) {
      if (request.method !== 'GET') throw methodNotAllowed('GET');
      const admission = await protection?.admit(request);
      admission?.[Symbol.dispose]();
      const text = await page.read();
      response.writeHead(200, { 'Content-Type': page.contentType }).end(text);
    },
  };
}
