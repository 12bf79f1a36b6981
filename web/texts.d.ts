/** Made by the build: loads the texts of the portal, of one of its screens, or of the console. The console has English and some languages. */
declare module 'texts:*' {
  const load: import('./start-app.tsx').TextLoaders;
  export default load;
}
