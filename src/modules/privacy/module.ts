import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { accessSections } from './access-sections.ts';
import { anonymiseAffiliate } from './anonymise-affiliate.ts';
import { coreErasure } from './core-erasure.ts';
import { coreSections } from './core-sections.ts';
import { personErasures } from './erasure.ts';
import { getOwnExport } from './get-own-export.ts';
import { getPerson } from './get-person.ts';
import { affiliateAnonymised } from './person-events.ts';
import { personalData } from './personal-data.ts';

export const personModule = defineModule({
  name: 'person',
  summary: 'Everything that is stored about a person: its export, and its erasure',
  addon: false,
  operations: [getOwnExport, getPerson, anonymiseAffiliate],
  events: [affiliateAnonymised],
  contributions: [
    ...[...coreSections, ...accessSections].map((section) => contribute(personalData, section)),
    contribute(personErasures, coreErasure),
  ],
});
