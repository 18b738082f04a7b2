import { planRows } from './decorators/plan.mjs';
import { httpRows } from './http/http.mjs';
import { scalingRows } from './http/scaling.mjs';
import { writePage } from './measuring/page.mjs';
import { reportOf } from './measuring/report.mjs';
import { callRows } from './stdio/calls.mjs';
import { coldStartRows } from './stdio/cold-start.mjs';

const PAGE = {
  name: 'protocol',
  title: 'Benchmarks of the protocol',
  introduction:
    'A small tool is called over stdio and over HTTP, in a server made with the decorators and in a server made with the SDK alone, which do the same. `node:http alone` reads and answers JSON without any protocol. The cold start is that of the filesystem server. Several processes are compared by the processor time of the busiest one, as if each had a processor of its own.',
  reference: '`@modelcontextprotocol/server` 2.4, and `@modelcontextprotocol/server-filesystem` 2026.8.31 for the cold start',
};

/** Measures the cost of a call and of a start, without the work of a tool. */
export async function protocol({ rounds, write }) {
  const parts = [];
  for (const rowsOf of [callRows, httpRows, scalingRows, planRows, coldStartRows]) parts.push(await rowsOf(rounds));
  if (write) writePage(PAGE, parts, { rounds, programs: [] });
  return reportOf('Protocol', parts);
}
