import { createServer } from 'node:http';

import { listen } from './listen.mjs';

/** The minimal HTTP call: Node.js reads JSON and answers with JSON. */
process.send({ url: await listen(createServer((request, response) => void answer(request, response))) });

async function answer(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { id, params } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  const body = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: params.arguments.text }] } });
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body);
}
