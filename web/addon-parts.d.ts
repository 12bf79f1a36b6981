/** Made by the build: the `part` of each `addons/<name>/portal/part.tsx`. */
declare module 'addons:portal' {
  const parts: readonly import('./portal/addon-parts.tsx').PortalPart[];
  export default parts;
}
/** Made by the build: the `part` of each `addons/<name>/console/part.ts`. */
declare module 'addons:console' {
  const parts: readonly import('./console/addon-parts.ts').ConsolePart[];
  export default parts;
}
