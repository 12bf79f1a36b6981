import { configKey, configSection } from '../../kernel/declare/config.ts';

export const webConfig = configSection({
  keys: {
    web: configKey({
      flag: 'web',
      placeholder: 'on|off',
      default: '',
      help: 'off: serves no portal and no public pages, only the APIs',
      setting: 'web.enabled',
      parse: onOrOff,
    }),
  },
});

function onOrOff(text: string): boolean | '' {
  if (text === '') return '';
  if (text !== 'on' && text !== 'off') throw new Error('be on or off');
  return text === 'on';
}
