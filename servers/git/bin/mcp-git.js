#!/usr/bin/env node
import module from 'node:module';

// Absent on Node 20; from 22.1 on it saves compiling the bundle at every start.
module.enableCompileCache?.();
// What was compiled is kept at the end of the process, which many clients do not let come.
setTimeout(() => module.flushCompileCache?.(), 5000).unref();
await import('../bundle/bin.js');
