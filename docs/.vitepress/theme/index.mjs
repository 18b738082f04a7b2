// The default theme without its font, which the site would have to serve.
import theme from 'vitepress/theme-without-fonts';
import './style.css';

export default theme;
