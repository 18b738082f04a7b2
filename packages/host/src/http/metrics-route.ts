import type { MetricsPage } from '../info/metrics.ts';
import type { Route } from './http-server.ts';
import type { Protection } from './protection.ts';
import { Refusal } from './refusal.ts';

/** Tells the metrics to whoever may ask for anything. */
export function metricsRoute(page: MetricsPage, protection: Protection | undefined): Route {
  return {
    async serve(request, response) {
      if (request.method !== 'GET') throw new Refusal(405, 'Only GET is served here', { headers: { Allow: 'GET' } });
      await protection?.admit(request);
      const text = await page.read();
      response.writeHead(200, { 'Content-Type': page.contentType }).end(text);
    },
  };
}
