// Programs that load this module first behave as in another realm: errors of Node.js are not instances of their `Error`.
const Native = globalThis.Error;

function OwnError(...args) {
  return Reflect.construct(Native, args, new.target ?? OwnError);
}

Object.setPrototypeOf(OwnError, Native);
OwnError.prototype = Object.create(Native.prototype, { constructor: { value: OwnError, writable: true, configurable: true } });
globalThis.Error = OwnError;
