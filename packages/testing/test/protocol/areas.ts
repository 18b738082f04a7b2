import type { Area } from './area.ts';
import { batches } from './areas/batches.ts';
import { cancellation } from './areas/cancellation.ts';
import { changes } from './areas/changes.ts';
import { completion } from './areas/completion.ts';
import { content } from './areas/content.ts';
import { elicitation } from './areas/elicitation.ts';
import { handshake } from './areas/handshake.ts';
import { http } from './areas/http.ts';
import { listening } from './areas/listening.ts';
import { lists } from './areas/lists.ts';
import { logging } from './areas/logging.ts';
import { malformed } from './areas/malformed.ts';
import { messages } from './areas/messages.ts';
import { progress } from './areas/progress.ts';
import { prompts } from './areas/prompts.ts';
import { resources } from './areas/resources.ts';
import { roots } from './areas/roots.ts';
import { rounds } from './areas/rounds.ts';
import { sampling } from './areas/sampling.ts';
import { sessions } from './areas/sessions.ts';
import { sse } from './areas/sse.ts';
import { statelessHttp } from './areas/stateless-http.ts';
import { statelessMessages } from './areas/stateless-messages.ts';
import { stdio } from './areas/stdio.ts';
import { tools } from './areas/tools.ts';
import { versions } from './areas/versions.ts';

/** All tests, by what they are about. */
export const AREAS: Readonly<Record<string, Area>> = {
  messages,
  'messages without sessions': statelessMessages,
  handshake,
  versions,
  tools,
  content,
  resources,
  prompts,
  lists,
  completion,
  logging,
  progress,
  cancellation,
  changes,
  listening,
  elicitation,
  roots,
  sampling,
  rounds,
  'malformed messages': malformed,
  batches,
  HTTP: http,
  sessions,
  'HTTP without sessions': statelessHttp,
  'server-sent events': sse,
  stdio,
};
