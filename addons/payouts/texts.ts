import { addTexts } from '../../src/shared/texts.ts';
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import es from './texts/es.json' with { type: 'json' };
import fr from './texts/fr.json' with { type: 'json' };
import pt from './texts/pt.json' with { type: 'json' };

addTexts({ de, en, es, fr, pt });

declare module '../../src/shared/texts.ts' {
  interface AddonTexts {
    payouts: typeof en;
  }
}
