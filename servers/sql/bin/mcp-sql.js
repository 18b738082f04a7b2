#!/usr/bin/env node
import module from 'node:module';

// Absent on Node 20; from 22.1 on it saves compiling the bundle at every start.
module.enableCompileCache?.();
await import('../bundle/bin.js');
