/** Another program's text, put in by the build. */
declare module 'program:*' {
  const text: string;
  export default text;
}
