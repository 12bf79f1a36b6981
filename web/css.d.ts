/** The build collects the style sheets that components import. */
declare module '*.css';
