import type { Language } from './languages.ts';

/** What a site may call its affiliates. */
export const affiliateWords = ['affiliate', 'partner', 'ambassador', 'creator'] as const;
export type AffiliateWord = (typeof affiliateWords)[number];

/** Singular and plural, as they stand inside a sentence. */
const forms: Record<Language, Record<AffiliateWord, readonly [one: string, many: string]>> = {
  en: {
    affiliate: ['affiliate', 'affiliates'],
    partner: ['partner', 'partners'],
    ambassador: ['ambassador', 'ambassadors'],
    creator: ['creator', 'creators'],
  },
  de: {
    affiliate: ['Affiliate', 'Affiliates'],
    partner: ['Partner', 'Partner'],
    ambassador: ['Botschafter', 'Botschafter'],
    creator: ['Creator', 'Creator'],
  },
  es: {
    affiliate: ['afiliado', 'afiliados'],
    partner: ['colaborador', 'colaboradores'],
    ambassador: ['embajador', 'embajadores'],
    creator: ['creador', 'creadores'],
  },
  fr: {
    affiliate: ['affilié', 'affiliés'],
    partner: ['partenaire', 'partenaires'],
    ambassador: ['ambassadeur', 'ambassadeurs'],
    creator: ['créateur', 'créateurs'],
  },
  pt: {
    affiliate: ['afiliado', 'afiliados'],
    partner: ['parceiro', 'parceiros'],
    ambassador: ['embaixador', 'embaixadores'],
    creator: ['criador', 'criadores'],
  },
};

/**
 * The values of `affiliate` and `affiliates` in the texts of mails and pages. Texts are written so that no article or
 * ending depends on them: "the {affiliate} program", "das {affiliate}-Programm", "programa de {affiliates}",
 * "programme {affiliate}".
 */
export function affiliateWordsIn(
  language: Language,
  word: AffiliateWord,
): Record<'affiliate' | 'affiliates', string> {
  const [affiliate, affiliates] = forms[language][word];
  return { affiliate, affiliates };
}
