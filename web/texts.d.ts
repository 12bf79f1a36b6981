/** Made by the build: loads the texts of the screens of the console, by the name of the screen. */
declare module 'texts:console-screens' {
  const load: Readonly<Record<string, import('./start-app.tsx').TextLoaders>>;
  export default load;
}
/** Made by the build: loads the texts of the portal, of one of its screens, or of the console. The console has English and some languages. */
declare module 'texts:*' {
  const load: import('./start-app.tsx').TextLoaders;
  export default load;
}
