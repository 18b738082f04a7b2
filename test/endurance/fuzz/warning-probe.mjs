// Loaded into a server by `--import`: records the warnings of Node.js, such as that of a handle that was never closed.
import { appendFileSync } from 'node:fs';

const report = process.env.MCP_TEST_WARNING_REPORT;

if (report !== undefined) process.on('warning', ({ name, message }) => appendFileSync(report, `${name}: ${message}\n`));
