import { Refusal } from '../http/refusal.ts';

/** Whether a session exists is nobody's business but that of the principal that opened it. */
export function unknownSession(): Refusal {
  return new Refusal(404, 'There is no such session; initialize a new one', { code: -32_001 });
}

/** Of an event that the session never sent, nobody can tell what comes after it. */
export function unknownEvent(): Refusal {
  return new Refusal(400, 'The Last-Event-ID is not one of this session');
}
