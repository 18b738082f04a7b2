import { startForked } from './forked.mjs';
import { keepOn } from './processors.mjs';

/** Starts the process that posts calls, on a processor of its own. */
export function startHttpLoad(processor) {
  const load = startForked(new URL('http-load-process.mjs', import.meta.url));
  keepOn(processor, load.pid);
  return {
    /** Makes that many calls of a server's target; resolves to the calls per second and the message that answered the last one. */
    async run(target, calls) {
      load.send({ ...target, calls });
      const { problem, perSecond, last } = await load.next();
      if (problem !== undefined) throw new Error(problem);
      return { perSecond, last: JSON.parse(/\{.*\}/.exec(last)[0]) };
    },

    close: () => load.kill(),
  };
}
