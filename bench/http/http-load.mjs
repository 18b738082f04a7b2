import { startForked } from '../clients/forked.mjs';
import { keepOn } from '../measuring/processors.mjs';

/** Starts the process that posts calls, on `processor`; on any processor if it is `undefined`. */
export function startHttpLoad(processor) {
  const load = startForked(new URL('http-load-process.mjs', import.meta.url));
  keepOn(processor, load.pid);
  return {
    /** Makes `calls` calls to a target. Resolves to the calls per second and the last answer. */
    async run(target, calls) {
      load.send({ ...target, calls });
      const { problem, perSecond, last } = await load.next();
      if (problem !== undefined) throw new Error(problem);
      return { perSecond, last: JSON.parse(/\{.*\}/.exec(last)[0]) };
    },

    close: () => load.kill(),
  };
}
