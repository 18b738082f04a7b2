/** The modules of class-validator, which has declarations only for its main module. That module exports the same rules. */
declare module 'class-validator/cjs/*' {
  export * from 'class-validator';
}
