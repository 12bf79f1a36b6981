/** The languages of mails, public pages, the portal and the console. English comes first: it is the default. */
export const languages = ['en', 'de', 'es', 'fr', 'pt'] as const;
export type Language = (typeof languages)[number];
