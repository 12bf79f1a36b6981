/** Made by the build: loads the texts of the portal or of the public pages in one language. */
declare module 'texts:*' {
  const load: Readonly<
    Record<import('../src/shared/languages.ts').Language, () => Promise<import('./words.ts').Words>>
  >;
  export default load;
}
