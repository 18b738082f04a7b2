/** The build imports styles as texts. */
declare module '*.css' {
  const text: string;
  export default text;
}
