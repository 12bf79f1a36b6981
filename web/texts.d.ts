/** Made by the build: the sentences that the service says in English. English has none. */
declare module 'texts:said' {
  import type { Language } from '../src/shared/languages.ts';
  const load: Partial<
    Readonly<Record<Language, () => Promise<{ said: Readonly<Record<string, string>> }>>>
  >;
  export default load;
}
/** Made by the build: loads the texts of the portal, of one of its screens, or of the console. The console has English and some languages. */
declare module 'texts:*' {
  const load: import('./start-app.tsx').TextLoaders;
  export default load;
}
