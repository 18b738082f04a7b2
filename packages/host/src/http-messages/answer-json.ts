import type { ServerResponse } from 'node:http';

interface Answer {
  readonly response: ServerResponse;
  readonly json: string;
  readonly onSent: () => void;
}

/** The answers of this turn of the event loop. */
let answers: Answer[] = [];

/**
 * Ends a response with a JSON body. All answers of one turn of the event loop are sent at its end, one directly after the other: each
 * answer that is sent alone wakes up its client, which takes as long as a short call.
 */
export function answerJson(response: ServerResponse, json: string, onSent: () => void): void {
  response.setHeader('Content-Type', 'application/json');
  if (answers.push({ response, json, onSent }) === 1) setImmediate(sendAnswers);
}

function sendAnswers(): void {
  const sent = answers;
  answers = [];
  for (const { response, json, onSent } of sent) {
    response.end(json);
    onSent();
  }
}
