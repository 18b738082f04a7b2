import { soak } from './soak.mjs';

/** `node soak-process.mjs SECONDS`: runs the soak test alone, for a test. Exits with 1 if a bar is missed. */
const { body, bars } = await soak({ minutes: Number(process.argv[2]) / 60 });
console.log(body);
for (const { text, met } of bars) console.log(`${met ? 'met   ' : 'missed'}  ${text}`);
process.exitCode = bars.every(({ met }) => met) ? 0 : 1;
