"use strict";(self.rspackChunk_smolcell_labextension=self.rspackChunk_smolcell_labextension||[]).push([[0],{"./node_modules/css-loader/dist/cjs.js!./style/panel.css"(e,t,o){var r=o("./node_modules/css-loader/dist/runtime/noSourceMaps.js"),n=o.n(r),s=o("./node_modules/css-loader/dist/runtime/api.js"),l=(o.n(s))()(n());l.push([e.id,`/* The side panel, the status item and cards that are shown apart. Colours and sizes are the theme's. */

.smolcell-panel {
  background: var(--jp-layout-color1);
  color: var(--jp-ui-font-color1);
  font-size: var(--jp-ui-font-size1);
  min-width: 220px;
  overflow: auto;
}

.smolcell-panel-nothing {
  color: var(--jp-ui-font-color2);
  margin: 16px 12px;
}

.smolcell-panel-heading {
  background: var(--jp-layout-color1);
  border-bottom: 1px solid var(--jp-border-color2);
  color: var(--jp-ui-font-color1);
  font-size: var(--jp-ui-font-size0);
  font-weight: 600;
  letter-spacing: 0.05em;
  margin: 0;
  padding: 8px 12px;
  position: sticky;
  text-transform: uppercase;
  top: 0;
}

.smolcell-panel-list {
  list-style: none;
  margin: 0 0 8px;
  padding: 0;
}

.smolcell-panel-row {
  align-items: center;
  display: flex;
  flex-wrap: wrap;
  gap: 4px 8px;
  padding: 6px 12px;
}

.smolcell-panel-row:hover {
  background: var(--jp-layout-color2);
}

.smolcell-panel-text {
  flex: 1 1 120px;
  min-width: 0;
}

.smolcell-panel-title,
.smolcell-panel-about {
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}

.smolcell-panel-about {
  color: var(--jp-ui-font-color2);
  font-size: var(--jp-ui-font-size0);
}

.smolcell-panel-buttons {
  display: flex;
  gap: 4px;
}

.smolcell-panel .smolcell-button {
  background: var(--jp-layout-color1);
  border: 1px solid var(--jp-border-color1);
  border-radius: var(--jp-border-radius);
  color: var(--jp-ui-font-color1);
  cursor: pointer;
  font: inherit;
  padding: 2px 8px;
}

.smolcell-panel .smolcell-button:hover:enabled {
  background: var(--jp-layout-color3);
}

.smolcell-panel .smolcell-button:disabled {
  cursor: default;
  opacity: 0.5;
}

.smolcell-panel .smolcell-button:focus-visible,
.smolcell-status-item:focus-visible {
  outline: 2px solid var(--jp-brand-color1);
  outline-offset: 1px;
}

.smolcell-status-item {
  background: none;
  border: 0;
  color: inherit;
  cursor: pointer;
  font: inherit;
  padding: 0 4px;
}

.smolcell-status-item.smolcell-waits {
  font-weight: 600;
}

.smolcell-apart {
  background: var(--jp-layout-color0);
  overflow: auto;
  padding: 8px;
}
`,""]),o.d(t,{},{A:l})},"./node_modules/css-loader/dist/runtime/api.js"(e){e.exports=function(e){var t=[];return t.toString=function(){return this.map(function(t){var o="",r=void 0!==t[5];return t[4]&&(o+="@supports (".concat(t[4],") {")),t[2]&&(o+="@media ".concat(t[2]," {")),r&&(o+="@layer".concat(t[5].length>0?" ".concat(t[5]):""," {")),o+=e(t),r&&(o+="}"),t[2]&&(o+="}"),t[4]&&(o+="}"),o}).join("")},t.i=function(e,o,r,n,s){"string"==typeof e&&(e=[[null,e,void 0]]);var l={};if(r)for(var a=0;a<this.length;a++){var i=this[a][0];null!=i&&(l[i]=!0)}for(var c=0;c<e.length;c++){var d=[].concat(e[c]);r&&l[d[0]]||(void 0!==s&&(void 0===d[5]||(d[1]="@layer".concat(d[5].length>0?" ".concat(d[5]):""," {").concat(d[1],"}")),d[5]=s),o&&(d[2]&&(d[1]="@media ".concat(d[2]," {").concat(d[1],"}")),d[2]=o),n&&(d[4]?(d[1]="@supports (".concat(d[4],") {").concat(d[1],"}"),d[4]=n):d[4]="".concat(n)),t.push(d))}},t}},"./node_modules/css-loader/dist/runtime/noSourceMaps.js"(e){e.exports=function(e){return e[1]}},"./node_modules/style-loader/dist/runtime/injectStylesIntoStyleTag.js"(e){var t=[];function o(e){for(var o=-1,r=0;r<t.length;r++)if(t[r].identifier===e){o=r;break}return o}function r(e,r){for(var n={},s=[],l=0;l<e.length;l++){var a=e[l],i=r.base?a[0]+r.base:a[0],c=n[i]||0,d="".concat(i," ").concat(c);n[i]=c+1;var u=o(d),p={css:a[1],media:a[2],sourceMap:a[3],supports:a[4],layer:a[5]};if(-1!==u)t[u].references++,t[u].updater(p);else{var m=function(e,t){var o=t.domAPI(t);return o.update(e),function(t){t?(t.css!==e.css||t.media!==e.media||t.sourceMap!==e.sourceMap||t.supports!==e.supports||t.layer!==e.layer)&&o.update(e=t):o.remove()}}(p,r);r.byIndex=l,t.splice(l,0,{identifier:d,updater:m,references:1})}s.push(d)}return s}e.exports=function(e,n){var s=r(e=e||[],n=n||{});return function(e){e=e||[];for(var l=0;l<s.length;l++){var a=o(s[l]);t[a].references--}for(var i=r(e,n),c=0;c<s.length;c++){var d=o(s[c]);0===t[d].references&&(t[d].updater(),t.splice(d,1))}s=i}}},"./node_modules/style-loader/dist/runtime/insertBySelector.js"(e){var t={};e.exports=function(e,o){var r=function(e){if(void 0===t[e]){var o=document.querySelector(e);if(window.HTMLIFrameElement&&o instanceof window.HTMLIFrameElement)try{o=o.contentDocument.head}catch(e){o=null}t[e]=o}return t[e]}(e);if(!r)throw Error("Couldn't find a style target. This probably means that the value for the 'insert' parameter is invalid.");r.appendChild(o)}},"./node_modules/style-loader/dist/runtime/insertStyleElement.js"(e){e.exports=function(e){var t=document.createElement("style");return e.setAttributes(t,e.attributes),e.insert(t,e.options),t}},"./node_modules/style-loader/dist/runtime/setAttributesWithoutAttributes.js"(e,t,o){e.exports=function(e){var t=o.nc;t&&e.setAttribute("nonce",t)}},"./node_modules/style-loader/dist/runtime/styleDomAPI.js"(e){e.exports=function(e){if("u"<typeof document)return{update:function(){},remove:function(){}};var t=e.insertStyleElement(e);return{update:function(o){var r,n,s;r="",o.supports&&(r+="@supports (".concat(o.supports,") {")),o.media&&(r+="@media ".concat(o.media," {")),(n=void 0!==o.layer)&&(r+="@layer".concat(o.layer.length>0?" ".concat(o.layer):""," {")),r+=o.css,n&&(r+="}"),o.media&&(r+="}"),o.supports&&(r+="}"),(s=o.sourceMap)&&"u">typeof btoa&&(r+="\n/*# sourceMappingURL=data:application/json;base64,".concat(btoa(unescape(encodeURIComponent(JSON.stringify(s))))," */")),e.styleTagTransform(r,t,e.options)},remove:function(){var e;null===(e=t).parentNode||e.parentNode.removeChild(e)}}}},"./node_modules/style-loader/dist/runtime/styleTagTransform.js"(e){e.exports=function(e,t){if(t.styleSheet)t.styleSheet.cssText=e;else{for(;t.firstChild;)t.removeChild(t.firstChild);t.appendChild(document.createTextNode(e))}}},"./style/index.js"(e,t,o){var r=o("./node_modules/style-loader/dist/runtime/injectStylesIntoStyleTag.js"),n=o.n(r),s=o("./node_modules/style-loader/dist/runtime/styleDomAPI.js"),l=o.n(s),a=o("./node_modules/style-loader/dist/runtime/insertBySelector.js"),i=o.n(a),c=o("./node_modules/style-loader/dist/runtime/setAttributesWithoutAttributes.js"),d=o.n(c),u=o("./node_modules/style-loader/dist/runtime/insertStyleElement.js"),p=o.n(u),m=o("./node_modules/style-loader/dist/runtime/styleTagTransform.js"),f=o.n(m),v=o("./node_modules/css-loader/dist/cjs.js!./style/panel.css"),y={};y.styleTagTransform=f(),y.setAttributes=d(),y.insert=i().bind(null,"head"),y.domAPI=l(),y.insertStyleElement=p(),n()(v.A,y),v.A&&v.A.locals&&v.A.locals}}]);