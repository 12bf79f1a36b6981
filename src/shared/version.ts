/** The version of this program: the one of package.json. */
export const VERSION = '0.3.0';
