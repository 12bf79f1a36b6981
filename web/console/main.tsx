import load from 'texts:console';
import { startApp } from '../start-app.tsx';
import { Console } from './console.tsx';
import { nameExtensionScreens } from './extension-screens.ts';

await startApp(load, ({ me }) => {
  if (!me.is_admin) {
    location.replace('/app');
    return undefined;
  }
  nameExtensionScreens();
  return <Console />;
});
