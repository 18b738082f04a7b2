import type { ServerResponse } from 'node:http';

import { expect, it } from 'vitest';

import { answerJson } from '../../src/http-messages/answer-json.ts';
import { answering, ask, bodyOf, type Answering } from '../http/answering.ts';

async function readAnswer(server: Answering, path: string): Promise<unknown> {
  const answer = await ask(server, path);
  return [answer.headers['content-type'], answer.headers['content-length'], await bodyOf(answer)];
}

it('the answers of one turn of the event loop are sent together, also if a client is gone', async () => {
  const responses = new Map<string, ServerResponse>();
  const sent: string[] = [];
  await using server = await answering(({ url = '' }, response) => {
    responses.set(url, response);
    if (responses.size < 3) return;
    responses.get('/2')?.destroy();
    for (const [path, each] of responses) answerJson(each, JSON.stringify({ path }), () => sent.push(path));
    expect([...responses.values()].map(({ writableEnded }) => writableEnded)).toEqual([false, false, false]);
  });
  const answers = await Promise.allSettled(['/1', '/2', '/3'].map((path) => readAnswer(server, path)));
  expect(answers).toMatchObject([
    { value: ['application/json', '13', '{"path":"/1"}'] },
    { status: 'rejected' },
    { value: ['application/json', '13', '{"path":"/3"}'] },
  ]);
  expect(sent.toSorted()).toEqual(['/1', '/2', '/3']);
});
