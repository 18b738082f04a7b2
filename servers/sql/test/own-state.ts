import { inject } from 'vitest';

process.env['XDG_STATE_HOME'] = inject('state');
