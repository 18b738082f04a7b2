import { races } from './races.mjs';

/** `node races-process.mjs ATTEMPTS`: runs the races alone, for a test. Exits with 1 if a bar is missed, such as by a leak. */
const { body, bars } = await races({ attempts: Number(process.argv[2]) });
console.log(body);
for (const { text, met } of bars) console.log(`${met ? 'met   ' : 'missed'}  ${text}`);
process.exitCode = bars.every(({ met }) => met) ? 0 : 1;
