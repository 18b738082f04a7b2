#!/usr/bin/env node
// Not an ES module, which Node takes 5 ms longer to begin with.
require('../bundle/start.js');
