var Xr=Object.defineProperty;var Vt=(e,t)=>{for(var n in t)Xr(e,n,{get:t[n],enumerable:!0})};function c(e,t,...n){let r=document.createElement(e);return t!==""&&(r.className=t.split(" ").map(i=>`smolcell-${i}`).join(" ")),r.append(...n.filter(i=>i!==null&&
i!==!1)),r}function M(e,t,n,r=""){let i=c("button",`button ${t}`,e);if(i.type="button",r!==""){let o=c("kbd","key",r);o.setAttribute("aria-hidden","true"),i.append(
" ",o),i.setAttribute("aria-keyshortcuts",r)}return i.addEventListener("click",n),i}function T(e,...t){return c("details","fold",c("summary","summary",e),...t)}
function ie(e,t){if(typeof ResizeObserver>"u")return;let n=new ResizeObserver(()=>{e.clientWidth!==0&&(n.disconnect(),t())});n.observe(e)}var F=class{constructor(t){
this.el=t}el;before=null;draw(t,n){if(this.before?.every((i,o)=>i===t[o])&&this.before.length===t.length)return;this.before=t;let r=n().filter(i=>i!==null&&i!==
!1);this.el.replaceChildren(...r),this.el.hidden=r.length===0}},V=class{constructor(t){this.el=t;t.addEventListener("scroll",()=>this.atEnd=t.scrollTop+t.clientHeight>=
Math.min(this.drawn,t.scrollHeight)-4)}el;atEnd=!0;asked=!1;drawn=0;grown(){this.asked||typeof requestAnimationFrame>"u"||(this.asked=!0,requestAnimationFrame(()=>{
this.asked=!1,this.drawn=this.el.scrollHeight,this.atEnd&&(this.el.scrollTop=this.drawn)}))}},Ce=class{constructor(t){this.el=t;t.hidden=!0,this.following=new V(
t)}el;shown="";following;set(t){t!==this.shown&&(t.startsWith(this.shown)?this.el.append(t.slice(this.shown.length)):this.el.textContent=t,this.shown=t,this.el.
hidden=t==="",this.following.grown())}};var Qr=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\u{1d159}\u{e0100}-\u{e01ef}]/u,
Wt=new RegExp(Qr.source,"gu"),ei=/\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?$/u;function nt(e){let t=[],n=0;for(let r of e.matchAll(Wt))r.index>n&&t.push({
text:e.slice(n,r.index),hidden:!1}),t.push({text:Ee(r[0]),hidden:!0}),n=r.index+r[0].length;return n<e.length&&t.push({text:e.slice(n),hidden:!1}),t}var rt="\\t";
function Ee(e){return e==="	"?rt:`\\u{${(e.codePointAt(0)??0).toString(16)}}`}function p(e){let t=e.replaceAll(`\r
`,`
`);return t.replace(Wt,(n,r)=>ti(n,t,r)?n:Ee(n))}function ti(e,t,n){return e===`
`||e==="	"||e==="\xA0"?!0:e!=="\u200D"&&e!=="\uFE0F"?!1:ei.test(t.slice(Math.max(0,n-5),n).replace(/\ufe0f$/u,""))}function $(e){return e>0&&e<.05?"< 0.1 s":e<10?
`${e.toFixed(1)} s`:e<60?`${Math.round(e)} s`:`${Math.floor(e/60)} min ${Math.round(e)%60} s`}function _(e,t){return`${e.toLocaleString("en")} ${t}${e===1?"":"s"}`}
function Y(e){return e.input_tokens+e.output_tokens===0?"":`${e.input_tokens.toLocaleString("en")} + ${e.output_tokens.toLocaleString("en")} tokens`}function J(e){
return e.cost===null?"":`$${e.cost<.01?e.cost.toFixed(4):e.cost.toFixed(2)}`}function ni(e){if(e<1e3)return _(e,"byte");let t=Math.min(3,Math.floor(Math.log10(e)/
3));return`${(e/1e3**t).toPrecision(3)} ${["","kB","MB","GB"][t]}`}function xe(e){return p(e.map(({name:t,size:n})=>`${t} (${ni(n)})`).join(", "))}function j(...e){
return e.filter(t=>t!=="").join(" \xB7 ")}var ri={success:"The run is done.",max_steps_error:"The run stopped at its step limit.",refused:"The run ended without approval.",stopped:"The run was stopped.",
error:"The run failed."},De=class{el=c("div","announcer");told=new Set;heard=new WeakSet;constructor(){this.el.setAttribute("aria-live","polite"),this.el.setAttribute(
"role","status")}tell(t,n,r=""){let i=t.steps.filter(u=>!this.heard.has(u));for(let u of i)this.heard.add(u);let s=[...i.flatMap(ii),...n===void 0?[]:[oi(n,r)],
...si(t)].filter(([u])=>!this.told.has(u));for(let[u]of s)this.told.add(u);let l=s.at(-1);l!==void 0&&(this.el.textContent=l[1])}};function ii(e){let{observation:t}=e;
if(t===null||e.call>0)return[];let n=t.error===null?"is done":`ended with an error: ${p(t.error.type)}`;return[[`done ${e.n}`,`Step ${e.n} ${n}.`]]}function oi(e,t){
let n=e.findings.filter(i=>i.risk!=="none").length,r=e.kind==="code"?`${_(e.code.split(`
`).length,"line")} of Python`:`a ${e.kind}`;return[`asks ${t} ${e.fingerprint} ${e.n}`,`Step ${e.n} waits for your decision: ${r}${n>0?`, ${_(n,"warning")}`:""}\
.`]}function si({ended:e}){return e===null?[]:[["ended",ri[e.state]??"The run is over."]]}function it(e,t){return e!==null&&t-e>=500}function ot(e,t){return[e.drawn,e.pageVisible,e.windowFocused].every(n=>it(n,t))}function Kt(e,t){return ot(e,t)&&it(
e.inView,t)&&it(e.cardFocused,t)}function oe(e){return e.isTrusted}var li={a:"approve",e:"edit",r:"refuse",s:"stop"};function Gt(e){return Yt(e)||e.shiftKey||e.
repeat||e.isComposing?null:li[e.key.toLowerCase()]??null}function Zt(e){return!Yt(e)&&(e.key.length===1||e.key==="Enter")}function Yt(e){return e.ctrlKey||e.altKey||
e.metaKey}function X(e){return e instanceof Element&&e.closest("input, textarea, select, [contenteditable]")!==null}var ui=[".jp-Cell",".jp-Notebook"];function Jt(e){let{activeElement:t,body:n}=e.ownerDocument,r=e.closest(".jp-Cell");return t===null||t===n||t===r?!0:t.contains(
e)&&r?.classList.contains("jp-mod-active")===!0}var ai="data-smolcell-ran-by-key";function Xt(e){return e.closest(".jp-Cell")?.hasAttribute(ai)===!0}var Ae=class{constructor(t,n){
this.card=t;t.addEventListener("pointerdown",()=>this.clicked(),{capture:!0,signal:n}),t.addEventListener("focusin",r=>this.entered(r.relatedTarget),{signal:n})}card;from=null;keep(){
this.active?.matches("button")&&this.card.contains(this.active)&&this.card.focus({preventScroll:!0})}giveBack(){if(this.active===this.card){for(let t of[this.from,
...ui.map(n=>this.card.closest(n))])if(t?.isConnected&&t.focus({preventScroll:!0}),this.active!==this.card)return}}get isHere(){return this.active!==null&&this.
card.contains(this.active)}get active(){let t=this.card.getRootNode();return t instanceof Document||t instanceof ShadowRoot?t.activeElement:null}clicked(){let{active:t}=this;
t!==null&&t!==document.body&&t.contains(this.card)&&t!==this.card?this.from=null:this.entered(t)}entered(t){t instanceof HTMLElement&&!t.contains(this.card)&&!this.
card.contains(t)&&(this.from=t)}};var se=["image/png","image/jpeg","image/gif","image/webp"],en={"video/mp4":[4,"ftyp"],"video/webm":[0,"E\xDF\xA3"]},le=Object.keys(en),ci=7e6,di=4e7,hi=4e5;function q(e,t){
if(t.length>ci)return"larger than 5 MB";if(t===""||!/^[A-Za-z0-9+/=\s]+$/.test(t))return"not base64";if(le.includes(e))return pi(e,t)?"":`not what it claims to \
be, ${e}`;let n=fi(e,t);return n===null?`not what it claims to be, ${e}`:n[0]*n[1]>di?`${n[0]} by ${n[1]} pixels`:""}function fi(e,t){let n=tn(t),r=n===null?null:
mi[e]?.(n)??null;return r!==null&&r[0]>0&&r[1]>0?r:null}function pi(e,t){let n=tn(t);return n!==null&&P(n,...en[e])}function tn(e){let t=e.slice(0,hi).replace(/\s/g,
"");try{let n=atob(t.slice(0,t.length-t.length%4));return new DataView(Uint8Array.from(n,r=>r.charCodeAt(0)).buffer)}catch{return null}}var mi={"image/png":gi,"\
image/gif":bi,"image/jpeg":ki,"image/webp":vi};function P(e,t,n){return e.byteLength>=t+n.length&&[...n].every((r,i)=>e.getUint8(t+i)===r.charCodeAt(0))}function gi(e){
return e.byteLength<24||!P(e,0,`\x89PNG\r

`)||!P(e,12,"IHDR")?null:[e.getUint32(16),e.getUint32(20)]}function bi(e){return e.byteLength<10||!(P(e,0,"GIF87a")||P(e,0,"GIF89a"))?null:[e.getUint16(6,!0),e.
getUint16(8,!0)]}function ki(e){if(!P(e,0,"\xFF\xD8"))return null;let t=2;for(;t+9<=e.byteLength&&e.getUint8(t)===255;){let n=e.getUint8(t+1);if(n===255)t+=1;else{
if(n>=192&&n<=207&&![196,200,204].includes(n))return[e.getUint16(t+7),e.getUint16(t+5)];t+=2+Math.max(e.getUint16(t+2),2)}}return null}function vi(e){if(e.byteLength<
30||!P(e,0,"RIFF")||!P(e,8,"WEBP"))return null;if(P(e,12,"VP8 ")&&P(e,23,"\x9D*"))return[e.getUint16(26,!0)&16383,e.getUint16(28,!0)&16383];if(P(e,12,"VP8L")&&
e.getUint8(20)===47){let t=e.getUint32(21,!0);return[(t&16383)+1,(t>>>14&16383)+1]}return P(e,12,"VP8X")?[Qt(e,24)+1,Qt(e,27)+1]:null}function Qt(e,t){return e.
getUint16(t,!0)+e.getUint8(t+2)*65536}var nn="smolcell-library",rn="smolcell-picture",yi=3e6,wi=8,Ci=20,st={first:450,least:60,most:2e3};function on(e,t,n){for(let[r,i]of Object.entries(e)){let o=ae(
r),s=o===void 0?null:_i(o,i);if(o!==void 0&&s!==null)return new lt(o,s,t,e,n()).el}return null}function ae(e){let t=/^application\/vnd\.(plotly\.v1|vega\.v\d|vegalite\.v\d)\+json$/.
exec(e)?.[1];return t===void 0?void 0:t.startsWith("plotly")?"plotly":"vega"}var lt=class{constructor(t,n,r,i,o){this.library=t;this.spec=n;this.output=r;this.text=
o;this.about=p(i["text/plain"]??"").slice(0,200)||"A chart the code made";let s=i["image/png"]??"";q("image/png",s)===""&&(this.picture=s),this.put(...this.still()),
ie(this.el,()=>this.draw())}library;spec;output;text;el=c("div","chart");about;frame=null;picture="";heard=0;draw(){let t=n=>{this.frame=Si(Fi(n,this.spec),this.
about),this.heard=0,Di(this),this.put(this.frame,T("As text",...this.text))};this.say(nn,{name:this.library,take:t})}hear({source:t,data:n}){let r=t?.parent;if(this.
frame===null||!r||r!==this.frame.contentWindow||typeof n!="object"||n===null||++this.heard>Ci)return;let{height:i,picture:o,fault:s}=n;typeof i=="number"&&Number.
isFinite(i)&&(this.frame.style.height=`${Math.min(st.most,Math.max(st.least,i))}px`),typeof s=="string"&&this.fail(s),!(typeof o!="string"||this.picture!==""||q(
"image/png",o)!=="")&&(this.picture=o,this.say(rn,{output:this.output,data:o}))}rest(){this.frame=null,this.put(...this.still(),M("Interactive","quiet",()=>this.
draw()))}still(){if(this.picture==="")return this.text;let t=c("img","image");return t.alt=this.about,t.src=`data:image/png;base64,${this.picture}`,[t,T("As tex\
t",...this.text)]}fail(t){this.frame=null,this.put(c("p","note",`The chart is not drawn: ${p(t.slice(0,300))}`),...this.text)}put(...t){this.el.replaceChildren(
...t.filter(n=>n!==null&&n!==!1))}say(t,n){this.el.dispatchEvent(new CustomEvent(t,{bubbles:!0,composed:!0,detail:n}))}},Fe=class{wanted=[];constructor(t,n,r){let i=({
detail:s})=>{let l=this.wanted.some(({name:u})=>u===s.name);this.wanted.push(s),!Se().has(s.name)&&!l&&n.library(s.name),this.update(null)},o=({target:s,detail:l})=>{
let u=Ei(s);u!==null&&n.picture({...u,...l})};t.addEventListener(nn,i,{signal:r}),t.addEventListener(rn,o,{signal:r})}update(t){t!==null&&Se().set(t.name,t.code);
let n=this.wanted;this.wanted=n.filter(({name:r})=>!Se().has(r));for(let{name:r,take:i}of n){let o=Se().get(r);o!==void 0&&i(o)}}};function Ei(e){let t=e.closest(
"[data-step]"),n=t?.closest("[data-run]")?.dataset.run;return t===null||n===void 0?null:{run:n,step:Number(t.dataset.step),call:Number(t.dataset.call)}}function Se(){
let e=globalThis;return e[xi]??=new Map}var xi=Symbol.for("smolcell.libraries"),W=[];function Di(e){W.length===0&&window.addEventListener("message",Ai),W.splice(
0,W.length,...W.filter(t=>t!==e&&t.el.isConnected),e),W.length>wi&&W.shift()?.rest()}function Ai(e){for(let t of[...W])t.hear(e)}function Si(e,t){let n=c("ifram\
e","frame");return n.setAttribute("sandbox","allow-scripts"),n.setAttribute("referrerpolicy","no-referrer"),n.setAttribute("allow",""),n.title=t,n.style.height=
`${st.first}px`,n.srcdoc=e,n}function Fi(e,t){let n=Array.from(crypto.getRandomValues(new Uint8Array(16)),a=>a.toString(16)).join(""),o=`<!doctype html><meta ch\
arset="utf-8">${[`default-src 'none'; script-src 'nonce-${n}'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'`,"script-src \
'unsafe-inline'"].map(a=>`<meta http-equiv="Content-Security-Policy" content="${a}">`).join("")}`,s=e.replace(/<(?=\/script|script|!--)/gi,"\\x3c"),u=`${o}<styl\
e>html{background:#fff}body{margin:0;overflow-y:hidden}</style><div id="chart"></div><script type="application/json" id="spec">${t}<\/script><script nonce="${n}\
">${s}<\/script>`.replaceAll("&","&amp;").replaceAll('"',"&quot;");return`${o}<style>html,body{margin:0;height:100%}iframe{display:block;border:0;width:100%;hei\
ght:100%}</style><iframe sandbox="allow-scripts" referrerpolicy="no-referrer" allow="" srcdoc="${u}"></iframe>`}function _i(e,t){if(t.length>yi)return null;try{
let n=JSON.parse(t),r=ue(n)?e==="plotly"?Mi(n):n:null;return r===null?null:JSON.stringify(r).replaceAll("<","\\u003c")}catch{return null}}var Ti=/^choropleth|geo$|^(?:scatter|density)map(?:box)?$/;
function Mi({data:e,layout:t,frames:n}){return!Array.isArray(e)||e.length===0||!e.every(ue)||e.some(({type:r})=>Ti.test(String(r)))?null:ut({data:e,layout:ue(t)?
t:{},frames:Array.isArray(n)?n:[]})}function ut(e){if(typeof e=="string")return e.replace(/<\/?a\b[^>]*>/gi,"");if(Array.isArray(e))return e.map(ut);if(!ue(e))return e;
let t=Object.entries(e).filter(([n])=>!/^map(?:box)?\d*$/.test(n));return Object.fromEntries(t.map(([n,r])=>[n,ut(n==="images"&&Array.isArray(r)?r.filter(Li):r)]))}
function Li(e){return ue(e)&&/^data:image\/(?:png|jpeg|gif|webp);base64,/.test(String(e.source))}function ue(e){return typeof e=="object"&&e!==null&&!Array.isArray(
e)}var Ri="smolcell-insert-cells",$i="smolcell-run-over",Pi=1e4,_e=class{constructor(t){this.requested=t;this.ask.title="The approved steps as ordinary cells below\
, which give the same answer",this.said.setAttribute("role","status"),this.el.append(this.ask,this.said),this.el.hidden=!0}requested;el=c("div","export");ask=M(
"Write steps as cells","quiet",()=>this.request());said=c("div","exported");asked="";timer;update(t){let n=t.state.steps.some(r=>r.observation!==null||r.runs.length>
0);this.el.hidden=t.state.ended===null||!n,t.cells!==null&&t.cells.id===this.asked&&this.take(t.cells)}request(){if(this.timer===void 0){if(this.asked=this.requested(),
this.asked==="")return this.end("The run's kernel is gone. Its steps stand above; in a kernel that knows the session: %agent export");this.tell("Asking the kern\
el\u2026"),this.timer=setTimeout(()=>this.wait(),Pi)}}wait(){this.timer=void 0,this.tell("No kernel answered yet: it is busy with another cell, or gone. If it i\
s busy, the cells come when it is free.")}take({cells:t,notes:n,why:r}){if(r!=="")return this.end(`Not exported: ${r}`);let i=!this.el.dispatchEvent(new CustomEvent(
Ri,{bubbles:!0,cancelable:!0,composed:!0,detail:t}));this.end(i?`${_(t.length,"cell")} below.`:"",...n.map(o=>c("p","note",p(o)))),i||this.said.append(...Oi(t.join(
`

`)))}end(t,...n){clearTimeout(this.timer),this.timer=void 0,this.asked="",this.tell(t,...n)}tell(t,...n){this.said.replaceChildren(...t===""?[]:[c("p","quiet",p(
t))],...n)}};function Oi(e){let t=c("pre","about",p(e));t.tabIndex=0,t.setAttribute("role","group"),t.setAttribute("aria-label","The steps as ordinary code");let n=M(
"Copy","quiet",()=>{navigator.clipboard?.writeText(e).then(()=>n.textContent="Copied")});return[t,n]}var Ii=1500,Te=class{constructor(t,n,r){this.el=t;this.requested=
n;this.signal=r}el;requested;signal;told=!1;id="";take=null;update({state:t,saved:n}){n!==null&&n.id===this.id&&(this.take?.(n.data),this.take=null),!(t.ended===
null||this.told)&&(this.told=!0,setTimeout(()=>!this.signal.aborted&&this.tell(t.run),Ii))}tell(t){let n=()=>new Promise(r=>{this.take=r,this.id=this.requested()});
this.el.dispatchEvent(new CustomEvent($i,{bubbles:!0,composed:!0,detail:{run:t,record:n}}))}};var at={};Vt(at,{decode:()=>ce,encode:()=>z,format:()=>Q,parse:()=>de});var sn={};function Bi(e){let t=sn[e];if(t)return t;t=sn[e]=[];for(let n=0;n<128;n++){let r=String.fromCharCode(n);t.push(r)}for(let n=0;n<e.length;n++){let r=e.
charCodeAt(n);t[r]="%"+("0"+r.toString(16).toUpperCase()).slice(-2)}return t}function Me(e,t){typeof t!="string"&&(t=Me.defaultChars);let n=Bi(t);return e.replace(
/(%[a-f0-9]{2})+/gi,function(r){let i="";for(let o=0,s=r.length;o<s;o+=3){let l=parseInt(r.slice(o+1,o+3),16);if(l<128){i+=n[l];continue}if((l&224)===192&&o+3<s){
let u=parseInt(r.slice(o+4,o+6),16);if((u&192)===128){let a=l<<6&1984|u&63;a<128?i+="\uFFFD\uFFFD":i+=String.fromCharCode(a),o+=3;continue}}if((l&240)===224&&o+
6<s){let u=parseInt(r.slice(o+4,o+6),16),a=parseInt(r.slice(o+7,o+9),16);if((u&192)===128&&(a&192)===128){let d=l<<12&61440|u<<6&4032|a&63;d<2048||d>=55296&&d<=
57343?i+="\uFFFD\uFFFD\uFFFD":i+=String.fromCharCode(d),o+=6;continue}}if((l&248)===240&&o+9<s){let u=parseInt(r.slice(o+4,o+6),16),a=parseInt(r.slice(o+7,o+9),
16),d=parseInt(r.slice(o+10,o+12),16);if((u&192)===128&&(a&192)===128&&(d&192)===128){let f=l<<18&1835008|u<<12&258048|a<<6&4032|d&63;f<65536||f>1114111?i+="\uFFFD\uFFFD\uFFFD\
\uFFFD":(f-=65536,i+=String.fromCharCode(55296+(f>>10),56320+(f&1023))),o+=9;continue}}i+="\uFFFD"}return i})}Me.defaultChars=";/?:@&=+$,#";Me.componentChars="";
var ce=Me;var ln={};function Ni(e){let t=ln[e];if(t)return t;t=ln[e]=[];for(let n=0;n<128;n++){let r=String.fromCharCode(n);/^[0-9a-z]$/i.test(r)?t.push(r):t.push("%"+("0"+
n.toString(16).toUpperCase()).slice(-2))}for(let n=0;n<e.length;n++)t[e.charCodeAt(n)]=e[n];return t}function Le(e,t,n){typeof t!="string"&&(n=t,t=Le.defaultChars),
typeof n>"u"&&(n=!0);let r=Ni(t),i="";for(let o=0,s=e.length;o<s;o++){let l=e.charCodeAt(o);if(n&&l===37&&o+2<s&&/^[0-9a-f]{2}$/i.test(e.slice(o+1,o+3))){i+=e.slice(
o,o+3),o+=2;continue}if(l<128){i+=r[l];continue}if(l>=55296&&l<=57343){if(l>=55296&&l<=56319&&o+1<s){let u=e.charCodeAt(o+1);if(u>=56320&&u<=57343){i+=encodeURIComponent(
e[o]+e[o+1]),o++;continue}}i+="%EF%BF%BD";continue}i+=encodeURIComponent(e[o])}return i}Le.defaultChars=";/?:@&=+$,-_.!~*'()#";Le.componentChars="-_.!~*'()";var z=Le;function Q(e){let t="";return t+=e.protocol||"",t+=e.slashes?"//":"",t+=e.auth?e.auth+"@":"",e.hostname&&e.hostname.indexOf(":")!==-1?t+="["+e.hostname+"]":t+=e.
hostname||"",t+=e.port?":"+e.port:"",t+=e.pathname||"",t+=e.search||"",t+=e.hash||"",t}function Re(){this.protocol=null,this.slashes=null,this.auth=null,this.port=null,this.hostname=null,this.hash=null,this.search=null,this.pathname=null}var Hi=/^([a-z0-9.+-]+:)/i,
ji=/:[0-9]*$/,qi=/^(\/\/?(?!\/)[^\?\s]*)(\?[^\s]*)?$/,zi=["<",">",'"',"`"," ","\r",`
`,"	"],Ui=["{","}","|","\\","^","`"].concat(zi),Vi=["'"].concat(Ui),un=["%","/","?",";","#"].concat(Vi),an=["/","?","#"],Wi=255,cn=/^[+a-z0-9A-Z_-]{0,63}$/,Ki=/^([+a-z0-9A-Z_-]{0,63})(.*)$/,
dn={javascript:!0,"javascript:":!0},hn={http:!0,https:!0,ftp:!0,gopher:!0,file:!0,"http:":!0,"https:":!0,"ftp:":!0,"gopher:":!0,"file:":!0};function Gi(e,t){if(e&&
e instanceof Re)return e;let n=new Re;return n.parse(e,t),n}Re.prototype.parse=function(e,t){let n,r,i,o=e;if(o=o.trim(),!t&&e.split("#").length===1){let a=qi.exec(
o);if(a)return this.pathname=a[1],a[2]&&(this.search=a[2]),this}let s=Hi.exec(o);if(s&&(s=s[0],n=s.toLowerCase(),this.protocol=s,o=o.substr(s.length)),(t||s||o.
match(/^\/\/[^@\/]+@[^@\/]+/))&&(i=o.substr(0,2)==="//",i&&!(s&&dn[s])&&(o=o.substr(2),this.slashes=!0)),!dn[s]&&(i||s&&!hn[s])){let a=-1;for(let h=0;h<an.length;h++)
r=o.indexOf(an[h]),r!==-1&&(a===-1||r<a)&&(a=r);let d,f;a===-1?f=o.lastIndexOf("@"):f=o.lastIndexOf("@",a),f!==-1&&(d=o.slice(0,f),o=o.slice(f+1),this.auth=d),a=
-1;for(let h=0;h<un.length;h++)r=o.indexOf(un[h]),r!==-1&&(a===-1||r<a)&&(a=r);a===-1&&(a=o.length),o[a-1]===":"&&a--;let g=o.slice(0,a);o=o.slice(a),this.parseHost(
g),this.hostname=this.hostname||"";let m=this.hostname[0]==="["&&this.hostname[this.hostname.length-1]==="]";if(!m){let h=this.hostname.split(/\./);for(let E=0,
x=h.length;E<x;E++){let v=h[E];if(v&&!v.match(cn)){let D="";for(let C=0,y=v.length;C<y;C++)v.charCodeAt(C)>127?D+="x":D+=v[C];if(!D.match(cn)){let C=h.slice(0,E),
y=h.slice(E+1),w=v.match(Ki);w&&(C.push(w[1]),y.unshift(w[2])),y.length&&(o=y.join(".")+o),this.hostname=C.join(".");break}}}}this.hostname.length>Wi&&(this.hostname=
""),m&&(this.hostname=this.hostname.substr(1,this.hostname.length-2))}let l=o.indexOf("#");l!==-1&&(this.hash=o.substr(l),o=o.slice(0,l));let u=o.indexOf("?");return u!==
-1&&(this.search=o.substr(u),o=o.slice(0,u)),o&&(this.pathname=o),hn[n]&&this.hostname&&!this.pathname&&(this.pathname=""),this};Re.prototype.parseHost=function(e){
let t=ji.exec(e);t&&(t=t[0],t!==":"&&(this.port=t.substr(1)),e=e.substr(0,e.length-t.length)),e&&(this.hostname=e)};var de=Gi;var ht={};Vt(ht,{Any:()=>Zi,Cc:()=>Yi,Cf:()=>Ji,P:()=>ct,S:()=>dt,Z:()=>Xi});var Zi=/[\0-\uD7FF\uE000-\uFFFF]|[\uD800-\uDBFF][\uDC00-\uDFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?:[^\uD800-\uDBFF]|^)[\uDC00-\uDFFF]/,
Yi=/[\0-\x1F\x7F-\x9F]/,Ji=/[\xAD\u0600-\u0605\u061C\u06DD\u070F\u0890\u0891\u08E2\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB]|\uD804[\uDCBD\uDCCD]|\uD80D[\uDC30-\uDC3F]|\uD82F[\uDCA0-\uDCA3]|\uD834[\uDD73-\uDD7A]|\uDB40[\uDC01\uDC20-\uDC7F]/,
ct=/[!-#%-\*,-\/:;\?@\[-\]_\{\}\xA1\xA7\xAB\xB6\xB7\xBB\xBF\u037E\u0387\u055A-\u055F\u0589\u058A\u05BE\u05C0\u05C3\u05C6\u05F3\u05F4\u0609\u060A\u060C\u060D\u061B\u061D-\u061F\u066A-\u066D\u06D4\u0700-\u070D\u07F7-\u07F9\u0830-\u083E\u085E\u0964\u0965\u0970\u09FD\u0A76\u0AF0\u0C77\u0C84\u0DF4\u0E4F\u0E5A\u0E5B\u0F04-\u0F12\u0F14\u0F3A-\u0F3D\u0F85\u0FD0-\u0FD4\u0FD9\u0FDA\u104A-\u104F\u10FB\u1360-\u1368\u1400\u166E\u169B\u169C\u16EB-\u16ED\u1735\u1736\u17D4-\u17D6\u17D8-\u17DA\u1800-\u180A\u1944\u1945\u1A1E\u1A1F\u1AA0-\u1AA6\u1AA8-\u1AAD\u1B4E\u1B4F\u1B5A-\u1B60\u1B7D-\u1B7F\u1BFC-\u1BFF\u1C3B-\u1C3F\u1C7E\u1C7F\u1CC0-\u1CC7\u1CD3\u2010-\u2027\u2030-\u2043\u2045-\u2051\u2053-\u205E\u207D\u207E\u208D\u208E\u2308-\u230B\u2329\u232A\u2768-\u2775\u27C5\u27C6\u27E6-\u27EF\u2983-\u2998\u29D8-\u29DB\u29FC\u29FD\u2CF9-\u2CFC\u2CFE\u2CFF\u2D70\u2E00-\u2E2E\u2E30-\u2E4F\u2E52-\u2E5D\u3001-\u3003\u3008-\u3011\u3014-\u301F\u3030\u303D\u30A0\u30FB\uA4FE\uA4FF\uA60D-\uA60F\uA673\uA67E\uA6F2-\uA6F7\uA874-\uA877\uA8CE\uA8CF\uA8F8-\uA8FA\uA8FC\uA92E\uA92F\uA95F\uA9C1-\uA9CD\uA9DE\uA9DF\uAA5C-\uAA5F\uAADE\uAADF\uAAF0\uAAF1\uABEB\uFD3E\uFD3F\uFE10-\uFE19\uFE30-\uFE52\uFE54-\uFE61\uFE63\uFE68\uFE6A\uFE6B\uFF01-\uFF03\uFF05-\uFF0A\uFF0C-\uFF0F\uFF1A\uFF1B\uFF1F\uFF20\uFF3B-\uFF3D\uFF3F\uFF5B\uFF5D\uFF5F-\uFF65]|\uD800[\uDD00-\uDD02\uDF9F\uDFD0]|\uD801\uDD6F|\uD802[\uDC57\uDD1F\uDD3F\uDE50-\uDE58\uDE7F\uDEF0-\uDEF6\uDF39-\uDF3F\uDF99-\uDF9C]|\uD803[\uDD6E\uDEAD\uDED0\uDF55-\uDF59\uDF86-\uDF89]|\uD804[\uDC47-\uDC4D\uDCBB\uDCBC\uDCBE-\uDCC1\uDD40-\uDD43\uDD74\uDD75\uDDC5-\uDDC8\uDDCD\uDDDB\uDDDD-\uDDDF\uDE38-\uDE3D\uDEA9\uDFD4\uDFD5\uDFD7\uDFD8]|\uD805[\uDC4B-\uDC4F\uDC5A\uDC5B\uDC5D\uDCC6\uDDC1-\uDDD7\uDE41-\uDE43\uDE60-\uDE6C\uDEB9\uDF3C-\uDF3E]|\uD806[\uDC3B\uDD44-\uDD46\uDDE2\uDE3F-\uDE46\uDE9A-\uDE9C\uDE9E-\uDEA2\uDF00-\uDF09\uDFE1]|\uD807[\uDC41-\uDC45\uDC70\uDC71\uDEF7\uDEF8\uDF43-\uDF4F\uDFFF]|\uD809[\uDC70-\uDC74]|\uD80B[\uDFF1\uDFF2]|\uD81A[\uDE6E\uDE6F\uDEF5\uDF37-\uDF3B\uDF44]|\uD81B[\uDD6D-\uDD6F\uDE97-\uDE9A\uDFE2]|\uD82F\uDC9F|\uD836[\uDE87-\uDE8B]|\uD839\uDDFF|\uD83A[\uDD5E\uDD5F]/,
dt=/[\$\+<->\^`\|~\xA2-\xA6\xA8\xA9\xAC\xAE-\xB1\xB4\xB8\xD7\xF7\u02C2-\u02C5\u02D2-\u02DF\u02E5-\u02EB\u02ED\u02EF-\u02FF\u0375\u0384\u0385\u03F6\u0482\u058D-\u058F\u0606-\u0608\u060B\u060E\u060F\u06DE\u06E9\u06FD\u06FE\u07F6\u07FE\u07FF\u0888\u09F2\u09F3\u09FA\u09FB\u0AF1\u0B70\u0BF3-\u0BFA\u0C7F\u0D4F\u0D79\u0E3F\u0F01-\u0F03\u0F13\u0F15-\u0F17\u0F1A-\u0F1F\u0F34\u0F36\u0F38\u0FBE-\u0FC5\u0FC7-\u0FCC\u0FCE\u0FCF\u0FD5-\u0FD8\u109E\u109F\u1390-\u1399\u166D\u17DB\u1940\u19DE-\u19FF\u1B61-\u1B6A\u1B74-\u1B7C\u1FBD\u1FBF-\u1FC1\u1FCD-\u1FCF\u1FDD-\u1FDF\u1FED-\u1FEF\u1FFD\u1FFE\u2044\u2052\u207A-\u207C\u208A-\u208C\u20A0-\u20C1\u2100\u2101\u2103-\u2106\u2108\u2109\u2114\u2116-\u2118\u211E-\u2123\u2125\u2127\u2129\u212E\u213A\u213B\u2140-\u2144\u214A-\u214D\u214F\u218A\u218B\u2190-\u2307\u230C-\u2328\u232B-\u2429\u2440-\u244A\u249C-\u24E9\u2500-\u2767\u2794-\u27C4\u27C7-\u27E5\u27F0-\u2982\u2999-\u29D7\u29DC-\u29FB\u29FE-\u2B73\u2B76-\u2BFF\u2CE5-\u2CEA\u2E50\u2E51\u2E80-\u2E99\u2E9B-\u2EF3\u2F00-\u2FD5\u2FF0-\u2FFF\u3004\u3012\u3013\u3020\u3036\u3037\u303E\u303F\u309B\u309C\u3190\u3191\u3196-\u319F\u31C0-\u31E5\u31EF\u3200-\u321E\u322A-\u3247\u3250\u3260-\u327F\u328A-\u32B0\u32C0-\u33FF\u4DC0-\u4DFF\uA490-\uA4C6\uA700-\uA716\uA720\uA721\uA789\uA78A\uA828-\uA82B\uA836-\uA839\uAA77-\uAA79\uAB5B\uAB6A\uAB6B\uFB29\uFBB2-\uFBD2\uFD40-\uFD4F\uFD90\uFD91\uFDC8-\uFDCF\uFDFC-\uFDFF\uFE62\uFE64-\uFE66\uFE69\uFF04\uFF0B\uFF1C-\uFF1E\uFF3E\uFF40\uFF5C\uFF5E\uFFE0-\uFFE6\uFFE8-\uFFEE\uFFFC\uFFFD]|\uD800[\uDD37-\uDD3F\uDD79-\uDD89\uDD8C-\uDD8E\uDD90-\uDD9C\uDDA0\uDDD0-\uDDFC]|\uD802[\uDC77\uDC78\uDEC8]|\uD803[\uDD8E\uDD8F\uDED1-\uDED8]|\uD805\uDF3F|\uD807[\uDFD5-\uDFF1]|\uD81A[\uDF3C-\uDF3F\uDF45]|\uD82F\uDC9C|\uD833[\uDC00-\uDCEF\uDCFA-\uDCFC\uDD00-\uDEB3\uDEBA-\uDED0\uDEE0-\uDEF0\uDF50-\uDFC3]|\uD834[\uDC00-\uDCF5\uDD00-\uDD26\uDD29-\uDD64\uDD6A-\uDD6C\uDD83\uDD84\uDD8C-\uDDA9\uDDAE-\uDDEA\uDE00-\uDE41\uDE45\uDF00-\uDF56]|\uD835[\uDEC1\uDEDB\uDEFB\uDF15\uDF35\uDF4F\uDF6F\uDF89\uDFA9\uDFC3]|\uD836[\uDC00-\uDDFF\uDE37-\uDE3A\uDE6D-\uDE74\uDE76-\uDE83\uDE85\uDE86]|\uD838[\uDD4F\uDEFF]|\uD83B[\uDCAC\uDCB0\uDD2E\uDEF0\uDEF1]|\uD83C[\uDC00-\uDC2B\uDC30-\uDC93\uDCA0-\uDCAE\uDCB1-\uDCBF\uDCC1-\uDCCF\uDCD1-\uDCF5\uDD0D-\uDDAD\uDDE6-\uDE02\uDE10-\uDE3B\uDE40-\uDE48\uDE50\uDE51\uDE60-\uDE65\uDF00-\uDFFF]|\uD83D[\uDC00-\uDED8\uDEDC-\uDEEC\uDEF0-\uDEFC\uDF00-\uDFD9\uDFE0-\uDFEB\uDFF0]|\uD83E[\uDC00-\uDC0B\uDC10-\uDC47\uDC50-\uDC59\uDC60-\uDC87\uDC90-\uDCAD\uDCB0-\uDCBB\uDCC0\uDCC1\uDCD0-\uDCD8\uDD00-\uDE57\uDE60-\uDE6D\uDE70-\uDE7C\uDE80-\uDE8A\uDE8E-\uDEC6\uDEC8\uDECD-\uDEDC\uDEDF-\uDEEA\uDEEF-\uDEF8\uDF00-\uDF92\uDF94-\uDFEF\uDFFA]/,
Xi=/[ \xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]/;var $e=class{},he=e=>e;var ft={toASCII:he,toUnicode:he};var fn=Object.defineProperty,Dn=(e,t)=>{let n={};for(var r in e)fn(n,r,{get:e[r],enumerable:!0});return t||fn(n,Symbol.toStringTag,{value:"Module"}),n},Qi=Dn({arrayReplaceAt:()=>eo,
asciiTrim:()=>Ne,callable:()=>An,escapeHtml:()=>U,escapeRE:()=>co,fromCodePoint:()=>pe,isMdAsciiPunct:()=>be,isPunctChar:()=>Fn,isPunctCharCode:()=>ge,isSpace:()=>S,
isValidEntityCode:()=>vt,isWhiteSpace:()=>me,lib:()=>ho,normalizeReference:()=>Be,unescapeAll:()=>ee,unescapeMd:()=>io});function An(e){let t=function(...n){return Reflect.
construct(e,n,new.target&&new.target!==t?new.target:e)};return Object.defineProperty(t,"name",{value:e.name}),Object.setPrototypeOf(t,e),t.prototype=e.prototype,
t}function eo(e,t,n){return[].concat(e.slice(0,t),n,e.slice(t+1))}function vt(e){return!(e>=55296&&e<=57343||e>=64976&&e<=65007||(e&65535)===65535||(e&65535)===
65534||e>=0&&e<=8||e===11||e>=14&&e<=31||e>=127&&e<=159||e>1114111)}function pe(e){if(e>65535){e-=65536;let t=55296+(e>>10),n=56320+(e&1023);return String.fromCharCode(
t,n)}return String.fromCharCode(e)}var Sn=/\\([!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~])/g,to=new RegExp(`${Sn.source}|${/&([a-z#][a-z0-9]{1,31});/gi.source}`,"gi"),
no=/^#((?:x[a-f0-9]{1,8}|[0-9]{1,8}))$/i;function ro(e,t){if(t.charCodeAt(0)===35&&no.test(t)){let r=t[1].toLowerCase()==="x"?parseInt(t.slice(2),16):parseInt(t.
slice(1),10);return vt(r)?pe(r):e}let n=he(e);return n!==e?n:e}function io(e){return e.indexOf("\\")<0?e:e.replace(Sn,"$1")}function ee(e){return e.indexOf("\\")<
0&&e.indexOf("&")<0?e:e.replace(to,function(t,n,r){return n||ro(t,r)})}var oo=/[&<>"]/,so=/[&<>"]/g,lo={"&":"&amp;","<":"&lt;",">":"&gt;",'"':"&quot;"};function uo(e){
return lo[e]}function U(e){return oo.test(e)?e.replace(so,uo):e}var ao=/[.?*+^$[\]\\(){}|-]/g;function co(e){return e.replace(ao,"\\$&")}function S(e){switch(e){case 9:case 32:
return!0}return!1}function me(e){if(e>=8192&&e<=8202)return!0;switch(e){case 9:case 10:case 11:case 12:case 13:case 32:case 160:case 5760:case 8239:case 8287:case 12288:
return!0}return!1}function Fn(e){return ct.test(e)||dt.test(e)}function ge(e){return Fn(pe(e))}function be(e){switch(e){case 33:case 34:case 35:case 36:case 37:case 38:case 39:case 40:case 41:case 42:case 43:case 44:case 45:case 46:case 47:case 58:case 59:case 60:case 61:case 62:case 63:case 64:case 91:case 92:case 93:case 94:case 95:case 96:case 123:case 124:case 125:case 126:
return!0;default:return!1}}function Be(e){return e=e.trim().replace(/\s+/g," "),e.toLowerCase().toUpperCase()}function pn(e){return e===32||e===9||e===10||e===13}
function Ne(e){let t=0;for(;t<e.length&&pn(e.charCodeAt(t));t++);let n=e.length-1;for(;n>=t&&pn(e.charCodeAt(n));n--);return e.slice(t,n+1)}var ho={mdurl:at,ucmicro:ht};
function fo(e,t,n){let r,i,o,s,l=e.posMax,u=e.pos;for(e.pos=t+1,r=1;e.pos<l;){if(o=e.src.charCodeAt(e.pos),o===93&&(r--,r===0)){i=!0;break}if(s=e.pos,e.md.inline.
skipToken(e),o===91){if(s===e.pos-1)r++;else if(n)return e.pos=u,-1}}let a=-1;return i&&(a=e.pos),e.pos=u,a}function po(e,t,n){let r,i=t,o={ok:!1,pos:0,str:""};
if(e.charCodeAt(i)===60){for(i++;i<n;){if(r=e.charCodeAt(i),r===10||r===60)return o;if(r===62)return o.pos=i+1,o.str=ee(e.slice(t+1,i)),o.ok=!0,o;if(r===92&&i+1<
n){i+=2;continue}i++}return o}let s=0;for(;i<n&&(r=e.charCodeAt(i),!(r===32||r<32||r===127));){if(r===92&&i+1<n){if(e.charCodeAt(i+1)===32){i++;continue}i+=2;continue}
if(r===40&&(s++,s>32))return o;if(r===41){if(s===0)break;s--}i++}return t===i||s!==0||(o.str=ee(e.slice(t,i)),o.pos=i,o.ok=!0),o}function mo(e,t,n,r){let i,o=t,
s={ok:!1,can_continue:!1,pos:0,str:"",marker:0};if(r)s.str=r.str,s.marker=r.marker;else{if(o>=n)return s;let l=e.charCodeAt(o);if(l!==34&&l!==39&&l!==40)return s;
t++,o++,l===40&&(l=41),s.marker=l}for(;o<n;){if(i=e.charCodeAt(o),i===s.marker)return s.pos=o+1,s.str+=ee(e.slice(t,o)),s.ok=!0,s;if(i===40&&s.marker===41)return s;
i===92&&o+1<n&&o++,o++}return s.can_continue=!0,s.str+=ee(e.slice(t,o)),s}var go=Dn({parseLinkDestination:()=>po,parseLinkLabel:()=>fo,parseLinkTitle:()=>mo});function ke(e){
"@babel/helpers - typeof";return ke=typeof Symbol=="function"&&typeof Symbol.iterator=="symbol"?function(t){return typeof t}:function(t){return t&&typeof Symbol==
"function"&&t.constructor===Symbol&&t!==Symbol.prototype?"symbol":typeof t},ke(e)}function bo(e,t){if(ke(e)!="object"||!e)return e;var n=e[Symbol.toPrimitive];if(n!==
void 0){var r=n.call(e,t||"default");if(ke(r)!="object")return r;throw new TypeError("@@toPrimitive must return a primitive value.")}return(t==="string"?String:
Number)(e)}function ko(e){var t=bo(e,"string");return ke(t)=="symbol"?t:t+""}function b(e,t,n){return(t=ko(t))in e?Object.defineProperty(e,t,{value:n,enumerable:!0,
configurable:!0,writable:!0}):e[t]=n,e}var G=class{constructor(e,t,n){b(this,"map",null),b(this,"level",0),b(this,"children",null),b(this,"content",""),b(this,"\
markup",""),b(this,"info",""),b(this,"block",!1),b(this,"hidden",!1),this.type=e,this.tag=t,this.attrs=null,this.nesting=n,this.meta=null}attrIndex(e){if(!this.
attrs)return-1;let t=this.attrs;for(let n=0,r=t.length;n<r;n++)if(t[n][0]===e)return n;return-1}attrPush(e){this.attrs?this.attrs.push(e):this.attrs=[e]}attrSet(e,t){
let n=this.attrIndex(e),r=[e,t];n<0?this.attrPush(r):this.attrs[n]=r}attrGet(e){let t=this.attrIndex(e),n=null;return t>=0&&(n=this.attrs[t][1]),n}attrJoin(e,t){
let n=this.attrIndex(e);n<0?this.attrPush([e,t]):this.attrs[n][1]=`${this.attrs[n][1]} ${t}`}},ve=class{constructor(){b(this,"__rules__",[]),b(this,"__cache__",
null)}__find__(e){for(let t=0;t<this.__rules__.length;t++)if(this.__rules__[t].name===e)return t;return-1}__compile__(){let e=new Set;this.__rules__.forEach(t=>{
t.enabled&&t.alt.forEach(n=>{n&&e.add(n)})}),this.__cache__=Object.create(null),this.__cache__[""]=[],this.__rules__.forEach(t=>{t.enabled&&this.__cache__[""].push(
t.fn)}),e.forEach(t=>{this.__cache__[t]=[],this.__rules__.forEach(n=>{n.enabled&&n.alt.indexOf(t)>=0&&this.__cache__[t].push(n.fn)})})}at(e,t,n={}){let r=this.__find__(
e);if(r===-1)throw new Error(`Parser rule not found: ${e}`);this.__rules__[r].fn=t,this.__rules__[r].alt=n.alt||[],this.__cache__=null}before(e,t,n,r={}){let i=this.
__find__(e);if(i===-1)throw new Error(`Parser rule not found: ${e}`);this.__rules__.splice(i,0,{name:t,enabled:!0,fn:n,alt:r.alt||[]}),this.__cache__=null}after(e,t,n,r={}){
let i=this.__find__(e);if(i===-1)throw new Error(`Parser rule not found: ${e}`);this.__rules__.splice(i+1,0,{name:t,enabled:!0,fn:n,alt:r.alt||[]}),this.__cache__=
null}push(e,t,n={}){this.__rules__.push({name:e,enabled:!0,fn:t,alt:n.alt||[]}),this.__cache__=null}enable(e,t=!1){Array.isArray(e)||(e=[e]);let n=[];return e.forEach(
r=>{let i=this.__find__(r);if(i<0){if(t)return;throw new Error(`Rules manager: invalid rule name ${r}`)}this.__rules__[i].enabled=!0,n.push(r)}),this.__cache__=
null,n}enableOnly(e,t=!1){Array.isArray(e)||(e=[e]),this.__rules__.forEach(n=>{n.enabled=!1}),this.enable(e,t)}disable(e,t=!1){Array.isArray(e)||(e=[e]);let n=[];
return e.forEach(r=>{let i=this.__find__(r);if(i<0){if(t)return;throw new Error(`Rules manager: invalid rule name ${r}`)}this.__rules__[i].enabled=!1,n.push(r)}),
this.__cache__=null,n}getRules(e){return this.__cache__||this.__compile__(),this.__cache__[e]||[]}},I={};I.code_inline=function(e,t,n,r,i){let o=e[t];return`<co\
de${i.renderAttrs(o)}>${U(o.content)}</code>`};I.code_block=function(e,t,n,r,i){let o=e[t];return`<pre${i.renderAttrs(o)}><code>${U(e[t].content)}</code></pre>
`};I.fence=function(e,t,n,r,i){let o=e[t],s=o.info?ee(o.info).trim():"",l="",u="";if(s){let d=s.split(/(\s+)/g);l=d[0],u=d.slice(2).join("")}let a;if(n.highlight?
a=n.highlight(o.content,l,u)||U(o.content):a=U(o.content),a.indexOf("<pre")===0)return a+`
`;if(s){let d=o.attrIndex("class"),f=o.attrs?o.attrs.slice():[];d<0?f.push(["class",`${n.langPrefix}${l}`]):(f[d]=[f[d][0],f[d][1]],f[d][1]+=` ${n.langPrefix}${l}`);
let g={attrs:f};return`<pre><code${i.renderAttrs(g)}>${a}</code></pre>
`}return`<pre><code${i.renderAttrs(o)}>${a}</code></pre>
`};I.image=function(e,t,n,r,i){let o=e[t];return o.attrs[o.attrIndex("alt")][1]=i.renderInlineAsText(o.children,n,r),i.renderToken(e,t,n)};I.hardbreak=function(e,t,n){
return n.xhtmlOut?`<br />
`:`<br>
`};I.softbreak=function(e,t,n){return n.breaks?n.xhtmlOut?`<br />
`:`<br>
`:`
`};I.text=function(e,t){return U(e[t].content)};I.html_block=function(e,t){return e[t].content};I.html_inline=function(e,t){return e[t].content};var _n=class{constructor(){
b(this,"rules",Object.assign({},I))}renderAttrs(e){let t,n,r;if(!e.attrs)return"";for(r="",t=0,n=e.attrs.length;t<n;t++)r+=` ${U(e.attrs[t][0])}="${U(String(e.attrs[t][1]))}\
"`;return r}renderToken(e,t,n){let r=e[t],i="";if(r.hidden)return"";let o=t-1;for(;o>=0&&e[o].hidden&&e[o].nesting===0;)o--;r.block&&r.nesting!==-1&&o>=0&&e[o].
hidden&&e[o].nesting===-1&&(i+=`
`),i+=(r.nesting===-1?"</":"<")+r.tag,i+=this.renderAttrs(r),r.nesting===0&&n.xhtmlOut&&(i+=" /");let s=!1;if(r.block&&(s=!0,r.nesting===1)){let l=t+1;for(;l<e.
length&&e[l].hidden&&e[l].nesting===0;)l++;if(l<e.length){let u=e[l];(u.type==="inline"||u.hidden||u.nesting===-1&&u.tag===r.tag)&&(s=!1)}}return i+=s?`>
`:">",i}renderInline(e,t,n){let r="",i=this.rules;for(let o=0,s=e.length;o<s;o++){let l=e[o].type;typeof i[l]<"u"?r+=i[l](e,o,t,n,this):r+=this.renderToken(e,o,
t)}return r}renderInlineAsText(e,t,n){let r="";for(let i=0,o=e.length;i<o;i++)switch(e[i].type){case"text":case"code_inline":r+=e[i].content;break;case"image":r+=
this.renderInlineAsText(e[i].children,t,n);break;case"html_inline":case"html_block":r+=e[i].content;break;case"softbreak":case"hardbreak":r+=`
`}return r}render(e,t,n){let r="",i=this.rules;for(let o=0,s=e.length;o<s;o++){let l=e[o].type;l==="inline"?r+=this.renderInline(e[o].children,t,n):typeof i[l]<
"u"?r+=i[l](e,o,t,n,this):r+=this.renderToken(e,o,t)}return r}},Tn=class{constructor(e,t,n){b(this,"tokens",[]),b(this,"inlineMode",!1),b(this,"Token",G),this.src=
e,this.env=n,this.md=t}},vo=/\r\n?/g,yo=/\0/g;function wo(e){let t;t=e.src.replace(vo,`
`),t=t.replace(yo,"\uFFFD"),e.src=t}function Co(e){let t;e.inlineMode?(t=new e.Token("inline","",0),t.content=e.src,t.map=[0,1],t.children=[],e.tokens.push(t)):
e.md.block.parse(e.src,e.md,e.env,e.tokens)}function Eo(e){let t=e.tokens,n=0;for(let r=0;r<t.length;r++)t[r].type!=="reference_definition"&&(r!==n&&(t[n]=t[r]),
n++);t.length!==n&&(t.length=n)}function xo(e){let t=e.tokens;for(let n=0,r=t.length;n<r;n++){let i=t[n];i.type==="inline"&&e.md.inline.parse(i.content,e.md,e.env,
i.children)}}function Do(e){return/^<a[>\s]/i.test(e)}function Ao(e){return/^<\/a\s*>/i.test(e)}function So(e){let t=e.tokens;if(e.md.options.linkify)for(let n=0,
r=t.length;n<r;n++){if(t[n].type!=="inline"||!e.md.linkify.test(t[n].content))continue;let i=t[n].children,o=[],s=0;for(let l=i.length-1;l>=0;l--){let u=i[l];if(u.
type==="link_close"){for(l--;i[l].level!==u.level&&i[l].type!=="link_open";)l--;continue}if(u.type==="html_inline"&&(Do(u.content)&&s>0&&s--,Ao(u.content)&&s++),
!(s>0)&&u.type==="text"&&e.md.linkify.test(u.content)){let a=u.content,d=e.md.linkify.match(a),f=[],g=u.level,m=0;d.length>0&&d[0].index===0&&l>0&&i[l-1].type===
"text_special"&&(d=d.slice(1));for(let h=0;h<d.length;h++){let E=d[h].url,x=e.md.normalizeLink(E);if(!e.md.validateLink(x))continue;let v=d[h].text;d[h].schema?
d[h].schema==="mailto:"&&!/^mailto:/i.test(v)?v=e.md.normalizeLinkText(`mailto:${v}`).replace(/^mailto:/,""):v=e.md.normalizeLinkText(v):v=e.md.normalizeLinkText(
`http://${v}`).replace(/^http:\/\//,"");let D=d[h].index;if(D>m){let k=new e.Token("text","",0);k.content=a.slice(m,D),k.level=g,f.push(k)}let C=new e.Token("li\
nk_open","a",1);C.attrs=[["href",x]],C.level=g++,C.markup="linkify",C.info="auto",f.push(C);let y=new e.Token("text","",0);y.content=v,y.level=g,f.push(y);let w=new e.
Token("link_close","a",-1);w.level=--g,w.markup="linkify",w.info="auto",f.push(w),m=d[h].lastIndex}if(m<a.length){let h=new e.Token("text","",0);h.content=a.slice(
m),h.level=g,f.push(h)}o.push({index:l,nodes:f})}}if(o.length>0){let l=i.length;for(let f of o)l+=f.nodes.length-1;let u=new Array(l),a=0,d=0;o.reverse();for(let f=0;f<
i.length;f++){let g=o[a];if(g?.index===f){for(let m of g.nodes)u[d++]=m;a++}else u[d++]=i[f]}t[n].children=u}}}var Mn=/\+-|\.\.|\?\?\?\?|!!!!|,,|--/,Fo=/\((c|tm|r)\)/i,
_o=/\((c|tm|r)\)/gi,To={c:"\xA9",r:"\xAE",tm:"\u2122"};function Mo(e,t){return To[t.toLowerCase()]}function Lo(e){let t=0;for(let n=e.length-1;n>=0;n--){let r=e[n];
r.type==="text"&&!t&&(r.content=r.content.replace(_o,Mo)),r.type==="link_open"&&r.info==="auto"&&t--,r.type==="link_close"&&r.info==="auto"&&t++}}function Ro(e){
let t=0;for(let n=e.length-1;n>=0;n--){let r=e[n];r.type==="text"&&!t&&Mn.test(r.content)&&(r.content=r.content.replace(/\+-/g,"\xB1").replace(/\.{2,}/g,"\u2026").
replace(/([?!])…/g,"$1..").replace(/([?!]){4,}/g,"$1$1$1").replace(/,{2,}/g,",").replace(/(^|[^-])---(?=[^-]|$)/gm,"$1\u2014").replace(/(^|\s)--(?=\s|$)/gm,"$\
1\u2013").replace(/(^|[^-\s])--(?=[^-\s]|$)/gm,"$1\u2013")),r.type==="link_open"&&r.info==="auto"&&t--,r.type==="link_close"&&r.info==="auto"&&t++}}function $o(e){
let t;if(e.md.options.typographer)for(t=e.tokens.length-1;t>=0;t--)e.tokens[t].type==="inline"&&(Fo.test(e.tokens[t].content)&&Lo(e.tokens[t].children),Mn.test(
e.tokens[t].content)&&Ro(e.tokens[t].children))}var Po=/['"]/,mn=/['"]/g,gn="\u2019",Oo=1e3;function bn(e,t,n){for(;e.length>n;){let r=e.pop();r.isSingleQuote?t.
single=r.prevSameQuoteIdx:t.double=r.prevSameQuoteIdx}}function Pe(e,t,n,r){e[t]||(e[t]=[]),e[t].push({pos:n,ch:r})}function Io(e,t){let n="",r=0;t.sort((i,o)=>i.
pos-o.pos);for(let i=0;i<t.length;i++){let o=t[i];n+=e.slice(r,o.pos)+o.ch,r=o.pos+1}return n+e.slice(r)}function Bo(e,t){let n,r=[],i={single:-1,double:-1},o={};
for(let s=0;s<e.length;s++){let l=e[s],u=e[s].level;for(n=r.length-1;n>=0&&!(r[n].level<=u);n--);if(bn(r,i,n+1),l.type!=="text")continue;let a=l.content,d=0,f=a.
length;e:for(;d<f;){mn.lastIndex=d;let g=mn.exec(a);if(!g)break;let m=!0,h=!0;d=g.index+1;let E=g[0]==="'",x=32;if(g.index-1>=0)x=a.charCodeAt(g.index-1);else for(n=
s-1;n>=0&&!(e[n].type==="softbreak"||e[n].type==="hardbreak");n--)if(e[n].content){x=e[n].content.charCodeAt(e[n].content.length-1);break}let v=32;if(d<f)v=a.charCodeAt(
d);else for(n=s+1;n<e.length&&!(e[n].type==="softbreak"||e[n].type==="hardbreak");n++)if(e[n].content){v=e[n].content.charCodeAt(0);break}let D=be(x)||ge(x),C=be(
v)||ge(v),y=me(x),w=me(v);if(w?m=!1:C&&(y||D||(m=!1)),y?h=!1:D&&(w||C||(h=!1)),v===34&&g[0]==='"'&&x>=48&&x<=57&&(h=m=!1),m&&h&&(m=D,h=C),!m&&!h){E&&Pe(o,s,g.index,
gn);continue}if(h&&(n=E?i.single:i.double,n>=0&&r[n].level===u)){let k=r[n],A,R;E?(A=t.md.options.quotes[2],R=t.md.options.quotes[3]):(A=t.md.options.quotes[0],
R=t.md.options.quotes[1]),Pe(o,s,g.index,R),Pe(o,k.tokenIdx,k.contentPos,A),bn(r,i,n);continue e}if(m){if(r.length>=Oo)return;r.push({tokenIdx:s,contentPos:g.index,
isSingleQuote:E,level:u,prevSameQuoteIdx:E?i.single:i.double}),E?i.single=r.length-1:i.double=r.length-1}else h&&E&&Pe(o,s,g.index,gn)}}Object.keys(o).forEach(function(s){
let l=Number(s);e[l].content=Io(e[l].content,o[s])})}function No(e){if(e.md.options.typographer)for(let t=e.tokens.length-1;t>=0;t--)e.tokens[t].type!=="inline"||
!Po.test(e.tokens[t].content)||Bo(e.tokens[t].children,e)}function Ho(e){let t,n,r=e.length;for(t=0;t<r;t++)e[t].type==="text_special"&&(e[t].type="text");for(t=
n=0;t<r;t++)e[t].type==="text"&&t+1<r&&e[t+1].type==="text"?e[t+1].content=e[t].content+e[t+1].content:(t!==n&&(e[n]=e[t]),n++);t!==n&&(e.length=n)}function jo(e){
let t,n,r=e.tokens,i=r.length;for(let o=0;o<i;o++){if(r[o].type!=="inline")continue;let s=r[o].children,l=s.length;for(t=0;t<l;t++)s[t].type==="text_special"&&(s[t].
type="text"),s[t].children&&Ho(s[t].children);for(t=n=0;t<l;t++)s[t].type==="text"&&t+1<l&&s[t+1].type==="text"?s[t+1].content=s[t].content+s[t+1].content:(t!==
n&&(s[n]=s[t]),n++);t!==n&&(s.length=n)}}var pt=[["normalize",wo],["block",Co],["strip_references",Eo],["inline",xo],["linkify",So],["replacements",$o],["smartq\
uotes",No],["text_join",jo]],Ln=class{constructor(){b(this,"ruler",new ve),b(this,"State",Tn);for(let e=0;e<pt.length;e++)this.ruler.push(pt[e][0],pt[e][1])}process(e){
let t=this.ruler.getRules("");for(let n=0,r=t.length;n<r;n++)t[n](e)}},Rn=class{constructor(e,t,n,r){b(this,"bMarks",[]),b(this,"eMarks",[]),b(this,"tShift",[]),
b(this,"sCount",[]),b(this,"bsCount",[]),b(this,"blkIndent",0),b(this,"line",0),b(this,"lineMax",0),b(this,"tight",!1),b(this,"listIndent",-1),b(this,"parentTyp\
e","root"),b(this,"level",0),b(this,"Token",G),this.src=e,this.md=t,this.env=n,this.tokens=r;let i=this.src;for(let o=0,s=0,l=0,u=0,a=i.length,d=!1;s<a;s++){let f=i.
charCodeAt(s);if(!d)if(S(f)){l++,f===9?u+=4-u%4:u++;continue}else d=!0;(f===10||s===a-1)&&(f!==10&&s++,this.bMarks.push(o),this.eMarks.push(s),this.tShift.push(
l),this.sCount.push(u),this.bsCount.push(0),d=!1,l=0,u=0,o=s+1)}this.bMarks.push(i.length),this.eMarks.push(i.length),this.tShift.push(0),this.sCount.push(0),this.
bsCount.push(0),this.lineMax=this.bMarks.length-1}push(e,t,n){let r=new G(e,t,n);return r.block=!0,n<0&&this.level--,r.level=this.level,n>0&&this.level++,this.tokens.
push(r),r}isEmpty(e){return this.bMarks[e]+this.tShift[e]>=this.eMarks[e]}skipEmptyLines(e){for(let t=this.lineMax;e<t&&!(this.bMarks[e]+this.tShift[e]<this.eMarks[e]);e++)
;return e}skipSpaces(e){for(let t=this.src.length;e<t&&S(this.src.charCodeAt(e));e++);return e}skipSpacesBack(e,t){if(e<=t)return e;for(;e>t;)if(!S(this.src.charCodeAt(
--e)))return e+1;return e}skipChars(e,t){for(let n=this.src.length;e<n&&this.src.charCodeAt(e)===t;e++);return e}skipCharsBack(e,t,n){if(e<=n)return e;for(;e>n;)
if(t!==this.src.charCodeAt(--e))return e+1;return e}getLines(e,t,n,r){if(e>=t)return"";let i=new Array(t-e);for(let o=0,s=e;s<t;s++,o++){let l=0,u=this.bMarks[s],
a=u,d;for(s+1<t||r?d=this.eMarks[s]+1:d=this.eMarks[s];a<d&&l<n;){let f=this.src.charCodeAt(a);if(S(f))f===9?l+=4-(l+this.bsCount[s])%4:l++;else if(a-u<this.tShift[s])
l++;else break;a++}l>n?i[o]=new Array(l-n+1).join(" ")+this.src.slice(a,d):i[o]=this.src.slice(a,d)}return i.join("")}},qo=65536;function mt(e,t){let n=e.bMarks[t]+
e.tShift[t],r=e.eMarks[t];return e.src.slice(n,r)}function kn(e){let t=[],n=e.length,r=0,i=e.charCodeAt(r),o=!1,s=0,l="";for(;r<n;)i===124&&(o?(l+=e.substring(s,
r-1),s=r):(t.push(l+e.substring(s,r)),l="",s=r+1)),o=i===92,r++,i=e.charCodeAt(r);return t.push(l+e.substring(s)),t}function zo(e,t,n,r){if(t+2>n)return!1;let i=t+
1;if(e.sCount[i]<e.blkIndent||e.sCount[i]-e.blkIndent>=4)return!1;let o=e.bMarks[i]+e.tShift[i];if(o>=e.eMarks[i])return!1;let s=e.src.charCodeAt(o++);if(s!==124&&
s!==45&&s!==58||o>=e.eMarks[i])return!1;let l=e.src.charCodeAt(o++);if(l!==124&&l!==45&&l!==58&&!S(l)||s===45&&S(l))return!1;for(;o<e.eMarks[i];){let y=e.src.charCodeAt(
o);if(y!==124&&y!==45&&y!==58&&!S(y))return!1;o++}let u=mt(e,t+1),a=u.split("|"),d=[];for(let y=0;y<a.length;y++){let w=a[y].trim();if(!w){if(y===0||y===a.length-
1)continue;return!1}if(!/^:?-+:?$/.test(w))return!1;w.charCodeAt(w.length-1)===58?d.push(w.charCodeAt(0)===58?"center":"right"):w.charCodeAt(0)===58?d.push("lef\
t"):d.push("")}if(u=mt(e,t).trim(),u.indexOf("|")===-1||e.sCount[t]-e.blkIndent>=4)return!1;a=kn(u),a.length&&a[0]===""&&a.shift(),a.length&&a[a.length-1]===""&&
a.pop();let f=a.length;if(f===0||f!==d.length)return!1;if(r)return!0;let g=e.parentType;e.parentType="table";let m=e.md.block.ruler.getRules("blockquote"),h=e.push(
"table_open","table",1),E=[t,0];h.map=E;let x=e.push("thead_open","thead",1);x.map=[t,t+1];let v=e.push("tr_open","tr",1);v.map=[t,t+1];for(let y=0;y<a.length;y++){
let w=e.push("th_open","th",1);d[y]&&(w.attrs=[["style",`text-align:${d[y]}`]]);let k=e.push("inline","",0);k.content=a[y].trim(),k.children=[],e.push("th_close",
"th",-1)}e.push("tr_close","tr",-1),e.push("thead_close","thead",-1);let D,C=0;for(i=t+2;i<n&&!(e.sCount[i]<e.blkIndent);i++){let y=!1;for(let k=0,A=m.length;k<
A;k++)if(m[k](e,i,n,!0)){y=!0;break}if(y||(u=mt(e,i).trim(),!u)||e.sCount[i]-e.blkIndent>=4||(a=kn(u),a.length&&a[0]===""&&a.shift(),a.length&&a[a.length-1]===""&&
a.pop(),C+=f-a.length,C>qo))break;if(i===t+2){let k=e.push("tbody_open","tbody",1);k.map=D=[t+2,0]}let w=e.push("tr_open","tr",1);w.map=[i,i+1];for(let k=0;k<f;k++){
let A=e.push("td_open","td",1);d[k]&&(A.attrs=[["style",`text-align:${d[k]}`]]);let R=e.push("inline","",0);R.content=a[k]?a[k].trim():"",R.children=[],e.push("\
td_close","td",-1)}e.push("tr_close","tr",-1)}return D&&(e.push("tbody_close","tbody",-1),D[1]=i),e.push("table_close","table",-1),E[1]=i,e.parentType=g,e.line=
i,!0}function Uo(e,t,n){if(e.sCount[t]-e.blkIndent<4)return!1;let r=t+1,i=r;for(;r<n;){if(e.isEmpty(r)){r++;continue}if(e.sCount[r]-e.blkIndent>=4){r++,i=r;continue}
break}e.line=i;let o=e.push("code_block","code",0);return o.content=e.getLines(t,i,4+e.blkIndent,!1)+`
`,o.map=[t,e.line],!0}function Vo(e,t,n,r){let i=e.bMarks[t]+e.tShift[t],o=e.eMarks[t];if(e.sCount[t]-e.blkIndent>=4||i+3>o)return!1;let s=e.src.charCodeAt(i);if(s!==
126&&s!==96)return!1;let l=i;i=e.skipChars(i,s);let u=i-l;if(u<3)return!1;let a=e.src.slice(l,i),d=e.src.slice(i,o);if(s===96&&d.indexOf(String.fromCharCode(s))>=
0)return!1;if(r)return!0;let f=t,g=!1;for(;f++,!(f>=n||(i=l=e.bMarks[f]+e.tShift[f],o=e.eMarks[f],i<o&&e.sCount[f]<e.blkIndent));)if(e.src.charCodeAt(i)===s&&!(e.
sCount[f]-e.blkIndent>=4)&&(i=e.skipChars(i,s),!(i-l<u)&&(i=e.skipSpaces(i),!(i<o)))){g=!0;break}u=e.sCount[t],e.line=f+(g?1:0);let m=e.push("fence","code",0);return m.
info=d,m.content=e.getLines(t+1,f,u,!0),m.markup=a,m.map=[t,e.line],!0}function Wo(e,t,n,r){let i=e.bMarks[t]+e.tShift[t],o=e.eMarks[t],s=e.lineMax;if(e.sCount[t]-
e.blkIndent>=4||e.src.charCodeAt(i)!==62)return!1;if(r)return!0;let l=[],u=[],a=[],d=[],f=e.md.block.ruler.getRules("blockquote"),g=e.parentType;e.parentType="b\
lockquote";let m=!1,h;for(h=t;h<n;h++){let C=e.sCount[h]<e.blkIndent;if(i=e.bMarks[h]+e.tShift[h],o=e.eMarks[h],i>=o)break;if(e.src.charCodeAt(i++)===62&&!C){let w=e.
sCount[h]+1,k,A;e.src.charCodeAt(i)===32?(i++,w++,A=!1,k=!0):e.src.charCodeAt(i)===9?(k=!0,(e.bsCount[h]+w)%4===3?(i++,w++,A=!1):A=!0):k=!1;let R=w;for(l.push(e.
bMarks[h]),e.bMarks[h]=i;i<o;){let re=e.src.charCodeAt(i);if(S(re))re===9?R+=4-(R+e.bsCount[h]+(A?1:0))%4:R++;else break;i++}m=i>=o,u.push(e.bsCount[h]),e.bsCount[h]=
e.sCount[h]+1+(k?1:0),a.push(e.sCount[h]),e.sCount[h]=R-w,d.push(e.tShift[h]),e.tShift[h]=i-e.bMarks[h];continue}if(m)break;let y=!1;for(let w=0,k=f.length;w<k;w++)
if(f[w](e,h,n,!0)){y=!0;break}if(y){e.lineMax=h,e.blkIndent!==0&&(l.push(e.bMarks[h]),u.push(e.bsCount[h]),d.push(e.tShift[h]),a.push(e.sCount[h]),e.sCount[h]-=
e.blkIndent);break}l.push(e.bMarks[h]),u.push(e.bsCount[h]),d.push(e.tShift[h]),a.push(e.sCount[h]),e.sCount[h]=-1}let E=e.blkIndent;e.blkIndent=0;let x=e.push(
"blockquote_open","blockquote",1);x.markup=">";let v=[t,0];x.map=v,e.md.block.tokenize(e,t,h);let D=e.push("blockquote_close","blockquote",-1);D.markup=">",e.lineMax=
s,e.parentType=g,v[1]=e.line;for(let C=0;C<d.length;C++)e.bMarks[C+t]=l[C],e.tShift[C+t]=d[C],e.sCount[C+t]=a[C],e.bsCount[C+t]=u[C];return e.blkIndent=E,!0}function Ko(e,t,n,r){
let i=e.eMarks[t];if(e.sCount[t]-e.blkIndent>=4)return!1;let o=e.bMarks[t]+e.tShift[t],s=e.src.charCodeAt(o++);if(s!==42&&s!==45&&s!==95)return!1;let l=1;for(;o<
i;){let a=e.src.charCodeAt(o++);if(a!==s&&!S(a))return!1;a===s&&l++}if(l<3)return!1;if(r)return!0;e.line=t+1;let u=e.push("hr","hr",0);return u.map=[t,e.line],u.
markup=Array(l+1).join(String.fromCharCode(s)),!0}function vn(e,t){let n=e.eMarks[t],r=e.bMarks[t]+e.tShift[t],i=e.src.charCodeAt(r++);return i!==42&&i!==45&&i!==
43||r<n&&!S(e.src.charCodeAt(r))?-1:r}function yn(e,t){let n=e.bMarks[t]+e.tShift[t],r=e.eMarks[t],i=n;if(i+1>=r)return-1;let o=e.src.charCodeAt(i++);if(o<48||o>
57)return-1;for(;;){if(i>=r)return-1;if(o=e.src.charCodeAt(i++),o>=48&&o<=57){if(i-n>=10)return-1;continue}if(o===41||o===46)break;return-1}return i<r&&(o=e.src.
charCodeAt(i),!S(o))?-1:i}function Go(e,t){let n=e.level+2;for(let r=t+2,i=e.tokens.length-2;r<i;r++)e.tokens[r].level===n&&e.tokens[r].type==="paragraph_open"&&
(e.tokens[r+2].hidden=!0,e.tokens[r].hidden=!0,r+=2)}function Zo(e,t,n,r){let i,o,s,l,u=t,a=!0;if(e.sCount[u]-e.blkIndent>=4||e.listIndent>=0&&e.sCount[u]-e.listIndent>=
4&&e.sCount[u]<e.blkIndent)return!1;let d=!1;r&&e.parentType==="paragraph"&&e.sCount[u]>=e.blkIndent&&(d=!0);let f,g,m;if((m=yn(e,u))>=0){if(f=!0,s=e.bMarks[u]+
e.tShift[u],g=Number(e.src.slice(s,m-1)),d&&g!==1)return!1}else if((m=vn(e,u))>=0)f=!1;else return!1;if(d&&e.skipSpaces(m)>=e.eMarks[u])return!1;if(r)return!0;let h=e.
src.charCodeAt(m-1),E=e.tokens.length;f?(l=e.push("ordered_list_open","ol",1),g!==1&&(l.attrs=[["start",g]])):l=e.push("bullet_list_open","ul",1);let x=[u,0];l.
map=x,l.markup=String.fromCharCode(h);let v=!1,D=e.md.block.ruler.getRules("list"),C=e.parentType;for(e.parentType="list";u<n;){o=m,i=e.eMarks[u];let y=e.sCount[u]+
m-(e.bMarks[u]+e.tShift[u]),w=y;for(;o<i;){let Z=e.src.charCodeAt(o);if(Z===9)w+=4-(w+e.bsCount[u])%4;else if(Z===32)w++;else break;o++}let k=o,A;k>=i?A=1:A=w-y,
A>4&&(A=1);let R=y+A;l=e.push("list_item_open","li",1),l.markup=String.fromCharCode(h);let re=[u,0];l.map=re,f&&(l.info=e.src.slice(s,m-1));let Kr=e.tight,Gr=e.
tShift[u],Zr=e.sCount[u],Yr=e.listIndent;if(e.listIndent=e.blkIndent,e.blkIndent=R,e.tight=!0,e.tShift[u]=k-e.bMarks[u],e.sCount[u]=w,k>=i&&e.isEmpty(u+1)?e.line=
Math.min(e.line+2,n):e.md.block.tokenize(e,u,n),(!e.tight||v)&&(a=!1),v=e.line-u>1&&e.isEmpty(e.line-1),e.blkIndent=e.listIndent,e.listIndent=Yr,e.tShift[u]=Gr,
e.sCount[u]=Zr,e.tight=Kr,l=e.push("list_item_close","li",-1),l.markup=String.fromCharCode(h),u=e.line,re[1]=u,u>=n||e.sCount[u]<e.blkIndent||e.sCount[u]-e.blkIndent>=
4)break;let Ut=!1;for(let Z=0,Jr=D.length;Z<Jr;Z++)if(D[Z](e,u,n,!0)){Ut=!0;break}if(Ut)break;if(f){if(m=yn(e,u),m<0)break;s=e.bMarks[u]+e.tShift[u]}else if(m=vn(
e,u),m<0)break;if(h!==e.src.charCodeAt(m-1))break}return f?l=e.push("ordered_list_close","ol",-1):l=e.push("bullet_list_close","ul",-1),l.markup=String.fromCharCode(
h),x[1]=u,e.line=u,e.parentType=C,a&&Go(e,E),!0}var gt=999;function Yo(e){let t=e.length;for(let n=0;n<e.length-1;n++){let r=e.charCodeAt(n);if(r<55296||r>56319)
continue;let i=e.charCodeAt(n+1);i>=56320&&i<=57343&&(t--,n++)}return t}function fe(e,t){return Math.min(e.eMarks[t]+1,e.src.length)}function Oe(e,t){let n=e.lineMax;
if(t>=n||e.isEmpty(t))return-1;let r=!1;if(e.sCount[t]-e.blkIndent>3&&(r=!0),e.sCount[t]<0&&(r=!0),!r){let i=e.md.block.ruler.getRules("reference"),o=e.parentType;
e.parentType="reference";let s=!1;for(let l=0,u=i.length;l<u;l++)if(i[l](e,t,n,!0)){s=!0;break}if(e.parentType=o,s)return-1}return e.bMarks[t]+e.tShift[t]}function Jo(e,t,n,r){
let i=e.src,o=e.bMarks[t]+e.tShift[t],s=t+1;if(e.sCount[t]-e.blkIndent>=4||i.charCodeAt(o)!==91)return!1;let l=fe(e,t),u="",a=-1,d=++o;for(;o<l;){if(u.length+o-
d>gt*2)return!1;let k=i.charCodeAt(o);if(k===91)return!1;if(k===93){a=o;break}if(k===92&&(k=i.charCodeAt(++o)),k===10&&o<l){let A=Oe(e,s);if(A<0)return!1;u+=i.slice(
d,l),o=d=A,l=fe(e,s++);continue}o++}if(a<0||i.charCodeAt(a+1)!==58||(u+=i.slice(d,a),u.length>gt&&Yo(u)>gt))return!1;for(o=a+2;o<l;){let k=i.charCodeAt(o);if(k===
10){let A=Oe(e,s);if(A<0)break;o=A,l=fe(e,s++)}else if(S(k))o++;else break}let f=e.md.helpers.parseLinkDestination(i,o,l);if(!f.ok)return!1;let g=e.md.normalizeLink(
f.str);if(!e.md.validateLink(g))return!1;o=f.pos;let m=o,h=l,E=s;for(;o<l;){let k=i.charCodeAt(o);if(k===10){let A=Oe(e,s);if(A<0)break;o=A,l=fe(e,s++)}else if(S(
k))o++;else break}let x=o,v=e.md.helpers.parseLinkTitle(i,o,l);for(;v.can_continue;){let k=Oe(e,s);if(k<0)break;o=k,l=fe(e,s++),v=e.md.helpers.parseLinkTitle(i,
o,l,v)}let D;for(x!==m&&v.ok?(D=v.str,o=v.pos):(D="",o=m,l=h,s=E);o<l&&S(i.charCodeAt(o));)o++;if(o<l&&i.charCodeAt(o)!==10&&D)for(D="",o=m,l=h,s=E;o<l&&S(i.charCodeAt(
o));)o++;if(o<l&&i.charCodeAt(o)!==10)return!1;let C=Be(u);if(!C)return!1;if(r)return!0;typeof e.env.references>"u"&&(e.env.references={}),typeof e.env.references[C]>
"u"&&(e.env.references[C]={title:D,href:g});let y=e.push("reference_definition","",0);y.map=[t,s],y.hidden=!0;let w=Object.create(null);return w.label=C,y.meta=
w,e.line=s,!0}var Xo=["address","article","aside","base","basefont","blockquote","body","caption","center","col","colgroup","dd","details","dialog","dir","div",
"dl","dt","fieldset","figcaption","figure","footer","form","frame","frameset","h1","h2","h3","h4","h5","h6","head","header","hr","html","iframe","legend","li","\
link","main","menu","menuitem","nav","noframes","ol","optgroup","option","p","param","search","section","summary","table","tbody","td","tfoot","th","thead","tit\
le","tr","track","ul"],$n=`<[A-Za-z][A-Za-z0-9\\-]*(?:\\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\\s*=\\s*(?:[^"'=<>\`\\x00-\\x20]+|'[^']*'|"[^"]*"))?)*\\s*\\/?>`,Pn="<\\/\
[A-Za-z][A-Za-z0-9\\-]*\\s*>";new RegExp(`^(?:${$n}|${Pn}|<!---?>|<!--(?:[^-]|-[^-]|--[^>])*-->|<[?][\\s\\S]*?[?]>|<![A-Za-z][^>]*>|<!\\[CDATA\\[[\\s\\S]*?\\]\\]>)`);
var On=new RegExp(`^(?:${$n}|${Pn})`),K=[[/^<(script|pre|style|textarea)(?=(\s|>|$))/i,/<\/(script|pre|style|textarea)>/i,!0],[/^<!--/,/-->/,!0],[/^<\?/,/\?>/,!0],
[/^<![A-Za-z]/,/>/,!0],[/^<!\[CDATA\[/,/\]\]>/,!0],[new RegExp(`^</?(${Xo.join("|")})(?=(\\s|/?>|$))`,"i"),/^$/,!0],[new RegExp(`${On.source}\\s*$`),/^$/,!1]];function Qo(e,t,n,r){
let i=e.bMarks[t]+e.tShift[t],o=e.eMarks[t];if(e.sCount[t]-e.blkIndent>=4||!e.md.options.html||e.src.charCodeAt(i)!==60)return!1;let s=e.src.slice(i,o),l=0;for(;l<
K.length&&!K[l][0].test(s);l++);if(l===K.length)return!1;if(r)return K[l][2];let u=t+1,a=K[l][1].test("");if(!K[l][1].test(s)){for(;u<n&&!(e.sCount[u]<e.blkIndent&&
(a||!e.isEmpty(u)));u++)if(i=e.bMarks[u]+e.tShift[u],o=e.eMarks[u],s=e.src.slice(i,o),K[l][1].test(s)){s.length!==0&&u++;break}}e.line=u;let d=e.push("html_bloc\
k","",0);return d.map=[t,u],d.content=e.getLines(t,u,e.blkIndent,!0),!0}function es(e,t,n,r){let i=e.bMarks[t]+e.tShift[t],o=e.eMarks[t];if(e.sCount[t]-e.blkIndent>=
4)return!1;let s=e.src.charCodeAt(i);if(s!==35||i>=o)return!1;let l=1;for(s=e.src.charCodeAt(++i);s===35&&i<o&&l<=6;)l++,s=e.src.charCodeAt(++i);if(l>6||i<o&&!S(
s))return!1;if(r)return!0;o=e.skipSpacesBack(o,i);let u=e.skipCharsBack(o,35,i);u>i&&S(e.src.charCodeAt(u-1))&&(o=u),e.line=t+1;let a=e.push("heading_open",`h${l}`,
1);a.markup="########".slice(0,l),a.map=[t,e.line];let d=e.push("inline","",0);d.content=Ne(e.src.slice(i,o)),d.map=[t,e.line],d.children=[];let f=e.push("headi\
ng_close",`h${l}`,-1);return f.markup="########".slice(0,l),!0}function ts(e,t,n){let r=e.md.block.ruler.getRules("paragraph");if(e.sCount[t]-e.blkIndent>=4)return!1;
let i=e.parentType;e.parentType="paragraph";let o=0,s,l=t+1;for(;l<n&&!e.isEmpty(l);l++){if(e.sCount[l]-e.blkIndent>3)continue;if(e.sCount[l]>=e.blkIndent){let m=e.
bMarks[l]+e.tShift[l],h=e.eMarks[l];if(m<h&&(s=e.src.charCodeAt(m),(s===45||s===61)&&(m=e.skipChars(m,s),m=e.skipSpaces(m),m>=h))){o=s===61?1:2;break}}if(e.sCount[l]<
0)continue;let g=!1;for(let m=0,h=r.length;m<h;m++)if(r[m](e,l,n,!0)){g=!0;break}if(g)break}if(!o)return e.parentType=i,!1;let u=Ne(e.getLines(t,l,e.blkIndent,!1));
e.line=l+1;let a=e.push("heading_open",`h${o}`,1);a.markup=String.fromCharCode(s),a.map=[t,e.line];let d=e.push("inline","",0);d.content=u,d.map=[t,e.line-1],d.
children=[];let f=e.push("heading_close",`h${o}`,-1);return f.markup=String.fromCharCode(s),e.parentType=i,!0}function ns(e,t,n){let r=e.md.block.ruler.getRules(
"paragraph"),i=e.parentType,o=t+1;for(e.parentType="paragraph";o<n&&!e.isEmpty(o);o++){if(e.sCount[o]-e.blkIndent>3||e.sCount[o]<0)continue;let a=!1;for(let d=0,
f=r.length;d<f;d++)if(r[d](e,o,n,!0)){a=!0;break}if(a)break}let s=Ne(e.getLines(t,o,e.blkIndent,!1));e.line=o;let l=e.push("paragraph_open","p",1);l.map=[t,e.line];
let u=e.push("inline","",0);return u.content=s,u.map=[t,e.line],u.children=[],e.push("paragraph_close","p",-1),e.parentType=i,!0}var Ie=[["table",zo,["paragraph",
"reference"]],["code",Uo],["fence",Vo,["paragraph","reference","blockquote","list"]],["blockquote",Wo,["paragraph","reference","blockquote","list"]],["hr",Ko,["\
paragraph","reference","blockquote","list"]],["list",Zo,["paragraph","reference","blockquote"]],["reference",Jo],["html_block",Qo,["paragraph","reference","bloc\
kquote"]],["heading",es,["paragraph","reference","blockquote"]],["lheading",ts],["paragraph",ns]],In=class{constructor(){b(this,"ruler",new ve),b(this,"State",Rn);
for(let e=0;e<Ie.length;e++)this.ruler.push(Ie[e][0],Ie[e][1],{alt:(Ie[e][2]||[]).slice()})}tokenize(e,t,n){let r=this.ruler.getRules(""),i=r.length,o=e.md.options.
maxNesting,s=t,l=!1;for(;s<n&&(e.line=s=e.skipEmptyLines(s),!(s>=n||e.sCount[s]<e.blkIndent));){if(e.level>=o){e.line=n;break}let u=e.line,a=!1;for(let d=0;d<i;d++)
if(a=r[d](e,s,n,!1),a){if(u>=e.line)throw new Error("block rule didn't increment state.line");break}if(!a)throw new Error("none of the block rules matched");e.tight=
!l,e.isEmpty(e.line-1)&&(l=!0),s=e.line,s<n&&e.isEmpty(s)&&(l=!0,s++,e.line=s)}}parse(e,t,n,r){if(!e)return;let i=new this.State(e,t,n,r);this.tokenize(i,i.line,
i.lineMax)}},Bn=class{constructor(e,t,n,r){b(this,"pos",0),b(this,"level",0),b(this,"pending",""),b(this,"pendingLevel",0),b(this,"cache",{}),b(this,"backticks",
{}),b(this,"backticksScanned",!1),b(this,"skipHtmlSpecial",!1),b(this,"linkLevel",0),b(this,"delimiters",[]),b(this,"_prev_delimiters",[]),b(this,"Token",G),this.
src=e,this.env=n,this.md=t,this.tokens=r,this.tokens_meta=Array(r.length),this.posMax=this.src.length}pushPending(){let e=new G("text","",0);return e.content=this.
pending,e.level=this.pendingLevel,this.tokens.push(e),this.pending="",e}push(e,t,n){this.pending&&this.pushPending();let r=new G(e,t,n),i;return n<0&&(this.level--,
this.delimiters=this._prev_delimiters.pop()),r.level=this.level,n>0&&(this.level++,this._prev_delimiters.push(this.delimiters),this.delimiters=[],i={delimiters:this.
delimiters}),this.pendingLevel=this.level,this.tokens.push(r),this.tokens_meta.push(i),r}scanDelims(e,t){let n=this.posMax,r=this.src.charCodeAt(e),i;if(e===0)i=
32;else if(e===1)i=this.src.charCodeAt(0),(i&63488)===55296&&(i=65533);else if(i=this.src.charCodeAt(e-1),(i&64512)===56320){let h=this.src.charCodeAt(e-2);i=(h&
64512)===55296?65536+(h-55296<<10)+(i-56320):65533}else(i&64512)===55296&&(i=65533);let o=e;for(;o<n&&this.src.charCodeAt(o)===r;)o++;let s=o-e,l=o<n?this.src.charCodeAt(
o):32;if((l&64512)===55296){let h=this.src.charCodeAt(o+1);l=(h&64512)===56320?65536+(l-55296<<10)+(h-56320):65533}else(l&64512)===56320&&(l=65533);let u=be(i)||
ge(i),a=be(l)||ge(l),d=me(i),f=me(l),g=!f&&(!a||d||u),m=!d&&(!u||f||a);return{can_open:g&&(t||!m||u),can_close:m&&(t||!g||a),length:s}}};function rs(e){switch(e){case 10:case 33:case 35:case 36:case 37:case 38:case 42:case 43:case 45:case 58:case 60:case 61:case 62:case 64:case 91:case 92:case 93:case 94:case 95:case 96:case 123:case 125:case 126:
return!0;default:return!1}}function is(e,t){let n=e.pos;for(;n<e.posMax&&!rs(e.src.charCodeAt(n));)n++;return n===e.pos?!1:(t||(e.pending+=e.src.slice(e.pos,n)),
e.pos=n,!0)}function os(e){return e>=65&&e<=90||e>=97&&e<=122}function ss(e){return e>=65&&e<=90||e>=97&&e<=122||e>=48&&e<=57||e===43||e===45||e===46}function ls(e,t){
if(!e.md.options.linkify||e.linkLevel>0)return!1;let n=e.pos,r=e.posMax;if(n+3>r||e.src.charCodeAt(n)!==58||e.src.charCodeAt(n+1)!==47||e.src.charCodeAt(n+2)!==
47)return!1;let i=n-Math.min(10,e.pending.length,n),o=n;for(;o>i&&ss(e.src.charCodeAt(o-1));)o--;if(o===n||!os(e.src.charCodeAt(o)))return!1;let s=n-o,l=e.md.linkify.
matchAtStart(e.src.slice(o));if(!l)return!1;let u=l.url;if(u.length<=s)return!1;let a=u.length;for(;a>0&&u.charCodeAt(a-1)===42;)a--;a!==u.length&&(u=u.slice(0,
a));let d=e.md.normalizeLink(u);if(!e.md.validateLink(d))return!1;if(!t){e.pending=e.pending.slice(0,-s);let f=e.push("link_open","a",1);f.attrs=[["href",d]],f.
markup="linkify",f.info="auto";let g=e.push("text","",0);g.content=e.md.normalizeLinkText(u);let m=e.push("link_close","a",-1);m.markup="linkify",m.info="auto"}
return e.pos+=u.length-s,!0}function us(e,t){let n=e.pos;if(e.src.charCodeAt(n)!==10)return!1;let r=e.pending.length-1,i=e.posMax;if(!t)if(r>=0&&e.pending.charCodeAt(
r)===32)if(r>=1&&e.pending.charCodeAt(r-1)===32){let o=r-1;for(;o>=1&&e.pending.charCodeAt(o-1)===32;)o--;e.pending=e.pending.slice(0,o),e.push("hardbreak","br",
0)}else e.pending=e.pending.slice(0,-1),e.push("softbreak","br",0);else e.push("softbreak","br",0);for(n++;n<i&&S(e.src.charCodeAt(n));)n++;return e.pos=n,!0}var yt=[];
for(let e=0;e<256;e++)yt.push(0);"\\!\"#$%&'()*+,./:;<=>?@[]^_`{|}~-".split("").forEach(function(e){yt[e.charCodeAt(0)]=1});function as(e,t){let n=e.pos,r=e.posMax;
if(e.src.charCodeAt(n)!==92||(n++,n>=r))return!1;let i=e.src.charCodeAt(n);if(i===10){for(t||e.push("hardbreak","br",0),n++;n<r&&(i=e.src.charCodeAt(n),!!S(i));)
n++;return e.pos=n,!0}if(i===32){if(!t){let l=e.push("text_special","",0);l.content="\\",l.markup="\\",l.info="escape"}return e.pos=n,!0}let o=e.src[n];if(i>=55296&&
i<=56319&&n+1<r){let l=e.src.charCodeAt(n+1);l>=56320&&l<=57343&&(o+=e.src[n+1],n++)}let s="\\"+o;if(!t){let l=e.push("text_special","",0);i<256&&yt[i]!==0?l.content=
o:l.content=s,l.markup=s,l.info="escape"}return e.pos=n+1,!0}function cs(e){let t={},n=0;for(;(n=e.indexOf("`",n))!==-1;){let r=n;for(;e.charCodeAt(++n)===96;);
t[n-r]=r}return t}function ds(e,t){var n;let r=e.pos;if(e.src.charCodeAt(r)!==96)return!1;let i=e.posMax,o=r+1;for(;o<i&&e.src.charCodeAt(o)===96;)o++;let s=e.src.
slice(r,o),l=s.length;if(e.backticksScanned||(e.backticks=cs(e.src),e.backticksScanned=!0),((n=e.backticks[l])!==null&&n!==void 0?n:-1)>=o){let u=o,a;for(;(a=e.
src.indexOf("`",u))!==-1&&a<i;){for(u=a+1;e.src.charCodeAt(u)===96;)u++;if(u>i)break;if(u-a===l){if(!t){let d=e.push("code_inline","code",0);d.markup=s;let f=e.
src.slice(o,a).replace(/\n/g," ");f.startsWith(" ")&&f.endsWith(" ")&&/[^ ]/.test(f)&&(f=f.slice(1,-1)),d.content=f}return e.pos=u,!0}}}return t||(e.pending+=s),
e.pos=o,!0}function hs(e,t){let n=e.pos,r=e.src.charCodeAt(n);if(t||r!==126)return!1;let i=e.scanDelims(e.pos,!0),o=i.length,s=String.fromCharCode(r);if(o<2)return!1;
let l;o%2&&(l=e.push("text","",0),l.content=s,o--);for(let u=0;u<o;u+=2)l=e.push("text","",0),l.content=s+s,e.delimiters.push({marker:r,length:0,token:e.tokens.
length-1,end:-1,open:i.can_open,close:i.can_close});return e.pos+=i.length,!0}function wn(e,t){let n,r=[],i=t.length;for(let o=0;o<i;o++){let s=t[o];if(s.marker!==
126||s.end===-1)continue;let l=t[s.end];n=e.tokens[s.token],n.type="s_open",n.tag="s",n.nesting=1,n.markup="~~",n.content="",n=e.tokens[l.token],n.type="s_close",
n.tag="s",n.nesting=-1,n.markup="~~",n.content="",e.tokens[l.token-1].type==="text"&&e.tokens[l.token-1].content==="~"&&r.push(l.token-1)}for(;r.length;){let o=r.
pop(),s=o+1;for(;s<e.tokens.length&&e.tokens[s].type==="s_close";)s++;s--,o!==s&&(n=e.tokens[s],e.tokens[s]=e.tokens[o],e.tokens[o]=n)}}function fs(e){let t=e.tokens_meta,
n=e.tokens_meta.length;wn(e,e.delimiters);for(let i=0;i<n;i++){var r;let o=(r=t[i])===null||r===void 0?void 0:r.delimiters;o&&wn(e,o)}}var Nn={tokenize:hs,postProcess:fs};
function ps(e,t){let n=e.pos,r=e.src.charCodeAt(n);if(t||r!==95&&r!==42)return!1;let i=e.scanDelims(e.pos,r===42);for(let o=0;o<i.length;o++){let s=e.push("text",
"",0);s.content=String.fromCharCode(r),e.delimiters.push({marker:r,length:i.length,token:e.tokens.length-1,end:-1,open:i.can_open,close:i.can_close})}return e.pos+=
i.length,!0}function Cn(e,t){let n=t.length;for(let r=n-1;r>=0;r--){let i=t[r];if(i.marker!==95&&i.marker!==42||i.end===-1)continue;let o=t[i.end],s=r>0&&t[r-1].
end===i.end+1&&t[r-1].marker===i.marker&&t[r-1].token===i.token-1&&t[i.end+1].token===o.token+1,l=String.fromCharCode(i.marker),u=e.tokens[i.token];u.type=s?"st\
rong_open":"em_open",u.tag=s?"strong":"em",u.nesting=1,u.markup=s?l+l:l,u.content="";let a=e.tokens[o.token];a.type=s?"strong_close":"em_close",a.tag=s?"strong":
"em",a.nesting=-1,a.markup=s?l+l:l,a.content="",s&&(e.tokens[t[r-1].token].content="",e.tokens[t[i.end+1].token].content="",r--)}}function ms(e){let t=e.tokens_meta,
n=e.tokens_meta.length;Cn(e,e.delimiters);for(let i=0;i<n;i++){var r;let o=(r=t[i])===null||r===void 0?void 0:r.delimiters;o&&Cn(e,o)}}var Hn={tokenize:ps,postProcess:ms};
function gs(e,t){let n,r,i,o,s="",l="",u=e.pos,a=!0;if(e.src.charCodeAt(e.pos)!==91)return!1;let d=e.pos,f=e.posMax,g=e.pos+1,m=e.md.helpers.parseLinkLabel(e,e.
pos,!0);if(m<0)return!1;let h=m+1;if(h<f&&e.src.charCodeAt(h)===40){for(a=!1,h++;h<f&&(n=e.src.charCodeAt(h),!(!S(n)&&n!==10));h++);if(h>=f)return!1;if(u=h,i=e.
md.helpers.parseLinkDestination(e.src,h,e.posMax),i.ok){for(s=e.md.normalizeLink(i.str),e.md.validateLink(s)?h=i.pos:s="",u=h;h<f&&(n=e.src.charCodeAt(h),!(!S(n)&&
n!==10));h++);if(i=e.md.helpers.parseLinkTitle(e.src,h,e.posMax),h<f&&u!==h&&i.ok)for(l=i.str,h=i.pos;h<f&&(n=e.src.charCodeAt(h),!(!S(n)&&n!==10));h++);}(h>=f||
e.src.charCodeAt(h)!==41)&&(a=!0),h++}if(a){if(typeof e.env.references>"u")return!1;if(h<f&&e.src.charCodeAt(h)===91?(u=h+1,h=e.md.helpers.parseLinkLabel(e,h),h>=
0?r=e.src.slice(u,h++):h=m+1):h=m+1,r||(r=e.src.slice(g,m)),r=Be(r),o=e.env.references[r],!o)return e.pos=d,!1;s=o.href,l=o.title}if(!t){e.pos=g,e.posMax=m;let E=e.
push("link_open","a",1),x=[["href",s]];if(E.attrs=x,l&&x.push(["title",l]),r){let v=Object.create(null);v.label=r,E.meta=v}e.linkLevel++,e.md.inline.tokenize(e),
e.linkLevel--,e.push("link_close","a",-1)}return e.pos=h,e.posMax=f,!0}function bs(e,t){let n,r,i,o,s,l,u,a,d="",f=e.pos,g=e.posMax;if(e.src.charCodeAt(e.pos)!==
33||e.src.charCodeAt(e.pos+1)!==91)return!1;let m=e.pos+2,h=e.md.helpers.parseLinkLabel(e,e.pos+1,!1);if(h<0)return!1;if(o=h+1,o<g&&e.src.charCodeAt(o)===40){for(o++;o<
g&&(n=e.src.charCodeAt(o),!(!S(n)&&n!==10));o++);if(o>=g)return!1;for(a=o,l=e.md.helpers.parseLinkDestination(e.src,o,e.posMax),l.ok&&(d=e.md.normalizeLink(l.str),
e.md.validateLink(d)?o=l.pos:d=""),a=o;o<g&&(n=e.src.charCodeAt(o),!(!S(n)&&n!==10));o++);if(l=e.md.helpers.parseLinkTitle(e.src,o,e.posMax),o<g&&a!==o&&l.ok)for(u=
l.str,o=l.pos;o<g&&(n=e.src.charCodeAt(o),!(!S(n)&&n!==10));o++);else u="";if(o>=g||e.src.charCodeAt(o)!==41)return e.pos=f,!1;o++}else{if(typeof e.env.references>
"u")return!1;if(o<g&&e.src.charCodeAt(o)===91?(a=o+1,o=e.md.helpers.parseLinkLabel(e,o),o>=0?i=e.src.slice(a,o++):o=h+1):o=h+1,i||(i=e.src.slice(m,h)),i=Be(i),s=
e.env.references[i],!s)return e.pos=f,!1;d=s.href,u=s.title}if(!t){r=e.src.slice(m,h);let E=[];e.md.inline.parse(r,e.md,e.env,E);let x=e.push("image","img",0),v=[
["src",d],["alt",""]];if(x.attrs=v,x.children=E,x.content=r,u&&v.push(["title",u]),i){let D=Object.create(null);D.label=i,x.meta=D}}return e.pos=o,e.posMax=g,!0}
var ks=/^([a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*)$/,vs=/^([a-zA-Z][a-zA-Z0-9+.-]{1,31}):([^<>\x00-\x20]*)$/;
function ys(e,t){let n=e.pos;if(e.src.charCodeAt(n)!==60)return!1;let r=e.pos,i=e.posMax;for(;;){if(++n>=i)return!1;let s=e.src.charCodeAt(n);if(s===60)return!1;
if(s===62)break}let o=e.src.slice(r+1,n);if(vs.test(o)){let s=e.md.normalizeLink(o);if(!e.md.validateLink(s))return!1;if(!t){let l=e.push("link_open","a",1);l.attrs=
[["href",s]],l.markup="autolink",l.info="auto";let u=e.push("text","",0);u.content=e.md.normalizeLinkText(o);let a=e.push("link_close","a",-1);a.markup="autolin\
k",a.info="auto"}return e.pos+=o.length+2,!0}if(ks.test(o)){let s=e.md.normalizeLink(`mailto:${o}`);if(!e.md.validateLink(s))return!1;if(!t){let l=e.push("link_\
open","a",1);l.attrs=[["href",s]],l.markup="autolink",l.info="auto";let u=e.push("text","",0);u.content=e.md.normalizeLinkText(o);let a=e.push("link_close","a",
-1);a.markup="autolink",a.info="auto"}return e.pos+=o.length+2,!0}return!1}function ws(e){return/^<a[>\s]/i.test(e)}function Cs(e){return/^<\/a\s*>/i.test(e)}function jn(e){
let t=e|32;return t>=97&&t<=122}function Es(e,t){let n=e.src,r,i;if(n.startsWith("<!--",t)){if(n.startsWith(">",t+4))return t+5;if(n.startsWith("->",t+4))return t+
6;r=t+4,i="-->"}else if(n.startsWith("<![CDATA[",t))r=t+9,i="]]>";else if(n.charCodeAt(t+1)===63)r=t+2,i="?>";else if(jn(n.charCodeAt(t+2)))r=t+3,i=">";else return-1;
if(e.skipHtmlSpecial)return-1;let o=n.indexOf(i,r);return o<0?(e.skipHtmlSpecial=!0,-1):o+i.length}function xs(e,t){if(!e.md.options.html)return!1;let n=e.posMax,
r=e.pos;if(e.src.charCodeAt(r)!==60||r+2>=n)return!1;let i,o=e.src.charCodeAt(r+1);if(o===33||o===63)i=Es(e,r);else if(o===47||jn(o)){let s=e.src.slice(r).match(
On);i=s?r+s[0].length:-1}else return!1;if(i<0)return!1;if(!t){let s=e.push("html_inline","",0);s.content=e.src.slice(r,i),ws(s.content)&&e.linkLevel++,Cs(s.content)&&
e.linkLevel--}return e.pos=i,!0}var Ds=/^&#((?:x[a-f0-9]{1,6}|[0-9]{1,7}));/i,As=/^&([a-z][a-z0-9]{1,31});/i;function Ss(e,t){let n=e.pos,r=e.posMax;if(e.src.charCodeAt(
n)!==38||n+1>=r)return!1;if(e.src.charCodeAt(n+1)===35){let i=e.src.slice(n).match(Ds);if(i){if(!t){let o=i[1][0].toLowerCase()==="x"?parseInt(i[1].slice(1),16):
parseInt(i[1],10),s=e.push("text_special","",0);s.content=vt(o)?pe(o):pe(65533),s.markup=i[0],s.info="entity"}return e.pos+=i[0].length,!0}}else{let i=e.src.slice(
n).match(As);if(i){let o=he(i[0]);if(o!==i[0]){if(!t){let s=e.push("text_special","",0);s.content=o,s.markup=i[0],s.info="entity"}return e.pos+=i[0].length,!0}}}
return!1}function En(e){let t={},n=e.length;if(!n)return;let r=0,i=-2,o=[];for(let s=0;s<n;s++){let l=e[s];if(o.push(0),(e[r].marker!==l.marker||i!==l.token-1)&&
(r=s),i=l.token,l.length=l.length||0,!l.close)continue;t.hasOwnProperty(l.marker)||(t[l.marker]=[-1,-1,-1,-1,-1,-1]);let u=t[l.marker][(l.open?3:0)+l.length%3],
a=r-o[r]-1,d=a;for(;a>u;a-=o[a]+1){let f=e[a];if(f.marker===l.marker&&f.open&&f.end<0){let g=!1;if((f.close||l.open)&&(f.length+l.length)%3===0&&(f.length%3!==0||
l.length%3!==0)&&(g=!0),!g){let m=a>0&&!e[a-1].open?o[a-1]+1:0;o[s]=s-a+m,o[a]=m,l.open=!1,f.end=s,f.close=!1,d=-1,i=-2;break}}}d!==-1&&(t[l.marker][(l.open?3:0)+
(l.length||0)%3]=d)}}function Fs(e){let t=e.tokens_meta,n=e.tokens_meta.length;En(e.delimiters);for(let i=0;i<n;i++){var r;let o=(r=t[i])===null||r===void 0?void 0:
r.delimiters;o&&En(o)}}function _s(e){let t,n,r=0,i=e.tokens,o=e.tokens.length;for(t=n=0;t<o;t++)i[t].nesting<0&&r--,i[t].level=r,i[t].nesting>0&&r++,i[t].type===
"text"&&t+1<o&&i[t+1].type==="text"?i[t+1].content=i[t].content+i[t+1].content:(t!==n&&(i[n]=i[t]),n++);t!==n&&(i.length=n)}var bt=[["text",is],["linkify",ls],[
"newline",us],["escape",as],["backticks",ds],["strikethrough",Nn.tokenize],["emphasis",Hn.tokenize],["link",gs],["image",bs],["autolink",ys],["html_inline",xs],
["entity",Ss]],kt=[["balance_pairs",Fs],["strikethrough",Nn.postProcess],["emphasis",Hn.postProcess],["fragments_join",_s]],qn=class{constructor(){b(this,"ruler",
new ve),b(this,"ruler2",new ve),b(this,"State",Bn);for(let e=0;e<bt.length;e++)this.ruler.push(bt[e][0],bt[e][1]);for(let e=0;e<kt.length;e++)this.ruler2.push(kt[e][0],
kt[e][1])}skipToken(e){let t=e.pos,n=this.ruler.getRules(""),r=n.length,i=e.md.options.maxNesting,o=e.cache;if(typeof o[t]<"u"){e.pos=o[t];return}let s=!1;if(e.
level<i){for(let l=0;l<r;l++)if(e.level++,s=n[l](e,!0),e.level--,s){if(t>=e.pos)throw new Error("inline rule didn't increment state.pos");break}}else e.pos=e.posMax;
s||e.pos++,o[t]=e.pos}tokenize(e){let t=this.ruler.getRules(""),n=t.length,r=e.posMax,i=e.md.options.maxNesting;for(;e.pos<r;){let o=e.pos,s=!1;if(e.level<i){for(let l=0;l<
n;l++)if(s=t[l](e,!1),s){if(o>=e.pos)throw new Error("inline rule didn't increment state.pos");break}}if(s){if(e.pos>=r)break;continue}e.pending+=e.src[e.pos++]}
e.pending&&e.pushPending()}parse(e,t,n,r){let i=new this.State(e,t,n,r);this.tokenize(i);let o=this.ruler2.getRules(""),s=o.length;for(let l=0;l<s;l++)o[l](i)}},
Ts={default:{options:{html:!1,xhtmlOut:!1,breaks:!1,langPrefix:"language-",linkify:!1,typographer:!1,quotes:"\u201C\u201D\u2018\u2019",highlight:null,maxNesting:100},
components:{core:{},block:{},inline:{}}},zero:{options:{html:!1,xhtmlOut:!1,breaks:!1,langPrefix:"language-",linkify:!1,typographer:!1,quotes:"\u201C\u201D\u2018\u2019",
highlight:null,maxNesting:20},components:{core:{rules:["normalize","block","strip_references","inline","text_join"]},block:{rules:["paragraph"]},inline:{rules:[
"text"],rules2:["balance_pairs","fragments_join"]}}},commonmark:{options:{html:!0,xhtmlOut:!0,breaks:!1,langPrefix:"language-",linkify:!1,typographer:!1,quotes:"\
\u201C\u201D\u2018\u2019",highlight:null,maxNesting:20},components:{core:{rules:["normalize","block","strip_references","inline","text_join"]},block:{rules:["bl\
ockquote","code","fence","heading","hr","html_block","lheading","list","reference","paragraph"]},inline:{rules:["autolink","backticks","emphasis","entity","esca\
pe","html_inline","image","link","newline","text"],rules2:["balance_pairs","emphasis","fragments_join"]}}}},Ms=/^(vbscript|javascript|file|data):/,Ls=/^data:image\/(gif|png|jpeg|webp);/,
xn=["http:","https:","mailto:"],B=class{validateLink(e){let t=e.trim().toLowerCase();return Ms.test(t)?Ls.test(t):!0}normalizeLink(e){let t=de(e,!0);if(t.hostname&&
(!t.protocol||xn.indexOf(t.protocol)>=0))try{t.hostname=ft.toASCII(t.hostname)}catch{}return t.auth&&(t.auth=z(t.auth)),t.hostname&&(t.hostname=z(t.hostname)),t.
pathname&&(t.pathname=z(t.pathname)),t.search&&(t.search=z(t.search)),t.hash&&(t.hash=z(t.hash)),Q(t)}normalizeLinkText(e){let t=de(e,!0);if(t.hostname&&(!t.protocol||
xn.indexOf(t.protocol)>=0))try{t.hostname=ft.toUnicode(t.hostname)}catch{}return ce(Q(t),ce.defaultChars+"%")}constructor(...e){b(this,"inline",new qn),b(this,"\
block",new In),b(this,"core",new Ln),b(this,"renderer",new _n),b(this,"linkify",new $e),b(this,"utils",Qi),b(this,"helpers",Object.assign({},go));let[t,n]=e;typeof t==
"string"?(this.configure(t),n&&this.set(n)):(this.configure("default"),this.set(t||{}))}set(e){return Object.assign(this.options,e),this}configure(e){let t;if(typeof e==
"string"){let i=e;if(t=Ts[i],!t)throw new Error(`Wrong 'markdown-it' preset "${i}", check name`)}else t=e;if(!t)throw new Error("Wrong `markdown-it` preset, can\
't be empty");t.options&&(this.options={...t.options});let n=t.components;if(n){var r;["core","block","inline"].forEach(o=>{var s;let l=(s=n[o])===null||s===void 0?
void 0:s.rules;l&&this[o].ruler.enableOnly(l)});let i=(r=n.inline)===null||r===void 0?void 0:r.rules2;i&&this.inline.ruler2.enableOnly(i)}return this}enable(e,t=!1){
let n=[];Array.isArray(e)||(e=[e]),["core","block","inline"].forEach(i=>{n=n.concat(this[i].ruler.enable(e,!0))}),n=n.concat(this.inline.ruler2.enable(e,!0));let r=e.
filter(i=>n.indexOf(i)<0);if(r.length&&!t)throw new Error(`MarkdownIt. Failed to enable unknown rule(s): ${r}`);return this}disable(e,t=!1){let n=[];Array.isArray(
e)||(e=[e]),["core","block","inline"].forEach(i=>{n=n.concat(this[i].ruler.disable(e,!0))}),n=n.concat(this.inline.ruler2.disable(e,!0));let r=e.filter(i=>n.indexOf(
i)<0);if(r.length&&!t)throw new Error(`MarkdownIt. Failed to disable unknown rule(s): ${r}`);return this}use(e,...t){return e.apply(e,[this,...t]),this}parse(e,t){
if(typeof e!="string")throw new Error("Input data should be a String");let n=new this.core.State(e,this,t);return this.core.process(n),n.tokens}render(e,t={}){return this.
renderer.render(this.parse(e,t),this.options,t)}parseInline(e,t){let n=new this.core.State(e,this,t);return n.inlineMode=!0,this.core.process(n),n.tokens}renderInline(e,t={}){
return this.renderer.render(this.parseInline(e,t),this.options,t)}};b(B,"Token",G);b(B,"Ruler",ve);b(B,"Renderer",_n);b(B,"ParserCore",Ln);b(B,"StateCore",Tn);b(
B,"ParserBlock",In);b(B,"StateBlock",Rn);b(B,"ParserInline",qn);b(B,"StateInline",Bn);var zn=An(B);var Rs="smolcell-typeset",$s=/\\(?:href|url|html\w*|style|class|cssId|data|bbox|includegraphics|require|unicode|mmlToken|csname|let|[egx]?def|newcommand|renewcommand|providecommand|newenvironment|renewenvironment|Declare\w*|catcode|char)(?![a-z])|\^\^/i,
Ps=2e4;function Un(e,t){return Wn(e)&&ie(t,()=>{let n=c("div","formula",p(e));t.replaceWith(n),Kn(n)||n.replaceWith(t)}),t}function Vn(e){let t=c("span","formul\
a-in-text",p(e));return Wn(e)&&ie(t,()=>Kn(t)),t}function Wn(e){return e.length<=Ps&&!$s.test(e)}function Kn(e){return!e.dispatchEvent(new CustomEvent(Rs,{bubbles:!0,
cancelable:!0,composed:!0}))}var Os="blockquote code emphasis escape fence heading hr image link list newline strikethrough table backticks".split(" "),wt=20,Gn=1e5,He=new zn("zero",{maxNesting:2*
wt}).enable(Os);He.normalizeLink=e=>e;He.validateLink=()=>!0;var Zn=/\$\$[^$]{1,10000}\$\$|\$(?=[^\s$])[^$\n`]{0,1000}(?<=[^\s$\\])\$(?!\d)/y;He.inline.ruler.before(
"escape","formula",(e,t)=>{if(e.env.formulas!==!0)return!1;Zn.lastIndex=e.pos;let n=Zn.exec(e.src)?.[0];return n===void 0?!1:(t||(e.push("formula","",0).content=
n),e.pos+=n.length,!0)});var Is={paragraph:["p","paragraph"],heading:["h5","heading"],blockquote:["blockquote","quoted"],bullet_list:["ul","list"],ordered_list:[
"ol","list"],list_item:["li",""],table:["table","table"],thead:["thead",""],tbody:["tbody",""],tr:["tr",""],th:["th",""],td:["td",""],strong:["strong",""],em:["\
em",""],s:["s",""],link:["span","address"]},H=class{constructor(t,n=!1){this.el=t;this.formulas=n;t.hidden=!0,this.following=new V(t)}el;formulas;shown="";done=0;blocks=0;following;set(t){
if(t===this.shown)return;let n=t.replace(/\r\n?/g,`
`);n.startsWith(this.shown.slice(0,this.done))||([this.done,this.blocks]=[0,0]);let{nodes:r,last:i}=Bs(n.slice(this.done),this.formulas);Xn(this.el,this.blocks,
r),this.blocks+=Math.max(0,r.length-1),this.done+=i,this.shown=n,this.el.hidden=n==="",this.following.grown()}};function Bs(e,t){let n=e.length>Gn?[]:He.parse(e,
{formulas:t});if(e.length>Gn||n.some(({level:o})=>o>wt))return{nodes:[Ns(e)],last:0};let r=n.findLast(({level:o,nesting:s})=>o===0&&s>=0)?.map?.[0]??0,i=document.
createDocumentFragment();return Yn(n,i),{nodes:[...i.childNodes],last:e.split(`
`,r).reduce((o,{length:s})=>o+s+1,0)}}function Ns(e){return c("p","paragraph as-it-is",p(e))}function Yn(e,t){let n=[t],r=[];for(let i of e){let o=n.at(-1);/^(em|strong)_/.
test(i.type)&&i.markup.startsWith("_")?o.appendChild(document.createTextNode(i.markup)):i.nesting<0?(i.type==="link_close"&&o.appendChild(Jn(r.pop()??"")),i.hidden||
n.pop()):i.type==="inline"?Yn(i.children??[],o):i.nesting===0?o.appendChild(js(i)):i.hidden||(i.type==="link_open"&&r.push(String(i.attrGet("href")??"")),n.push(
n.length>wt?o:o.appendChild(Hs(i))))}}function Hs(e){let[t,n]=Is[e.type.replace(/_open$/,"")]??["span",""],r=c(t,e.attrGet("style")==="text-align:right"?"numeri\
c":n),i=e.type==="ordered_list_open"?e.attrGet("start"):null;return i!==null&&r.setAttribute("start",String(i)),r}function js(e){switch(e.type){case"formula":return Vn(
e.content);case"code_inline":return c("code","",p(e.content));case"fence":case"code_block":return c("pre","sample",c("code","",p(e.content.replace(/\n$/,""))));case"\
hr":return c("hr","rule");case"softbreak":case"hardbreak":return c("br","");case"image":return c("span","address",`Image: ${p(e.content)}`,Jn(String(e.attrGet("\
src")??"")));default:return document.createTextNode(p(e.content))}}function Jn(e){return document.createTextNode(e===""?"":` (${p(e)})`)}function Xn(e,t,n){let r=t===
0?e.firstChild:e.childNodes[t]??null;for(let i of n){let o=r?.nextSibling??null;r===null?e.appendChild(i):qs(r,i)||e.replaceChild(i,r),r=o}for(;r!==null;){let i=r.
nextSibling;e.removeChild(r),r=i}}function qs(e,t){return e instanceof Text&&t instanceof Text?(t.data.startsWith(e.data)?t.length>e.length&&e.appendData(t.data.
slice(e.length)):e.data=t.data,!0):e.cloneNode(!1).isEqualNode(t.cloneNode(!1))?(Xn(e,0,[...t.childNodes]),!0):!1}var zs=5e3,Us=64,Vs=4e3,Et={colour:null,back:null,bold:!1,dim:!1,italic:!1,underline:!1,inverse:!1},Ws=/\x1b\[([0-9;:]*)m/g,Ks=/\x1b(\[[0-9;:]*)?$/,te=class{constructor(t){
this.el=t;t.hidden=!0,this.following=new V(t)}el;shown="";done=0;look=Et;tail=[];looks=0;following;set(t){if(t===this.shown)return;t.startsWith(this.shown.slice(
0,this.done))||this.clear();for(let l of this.tail)l.parentNode?.removeChild(l);let n=t.lastIndexOf(`
`)+1,i=(n>this.done?t.slice(this.done,n-1).split(`
`):[]).flatMap(l=>[...this.line(l),{text:`
`,classes:""}]);this.append(this.nodes(i)),[this.shown,this.done]=[t,Math.max(n,this.done)];let[o,s]=[this.look,this.looks];this.tail=this.nodes(this.line(t.slice(
this.done).replace(Ks,""))),[this.look,this.looks]=[o,s],this.el.append(...this.tail),this.el.hidden=t==="",this.following.grown()}append(t){let[n,r]=[this.el.lastChild,
t[0]];n instanceof Text&&r instanceof Text&&n.length<Vs&&(n.appendData(r.data),t.shift()),this.el.append(...t)}clear(){this.el.replaceChildren(),[this.done,this.
look,this.tail,this.looks]=[0,Et,[],0]}line(t){let n=[];for(let r of t.split("\r")){let i=this.pieces(r);i.length>0&&(n=i)}return n}pieces(t){let n=[],r=0,i=o=>{
o>r&&n.push({text:p(t.slice(r,o)),classes:Gs(this.look)})};for(let o of t.matchAll(Ws))i(o.index),r=o.index+o[0].length,this.look=Ys(this.look,o[1]??"");return i(
t.length),n}nodes(t){let n=[],r="";for(let{text:i,classes:o}of t){if(o===""||i===`
`||this.looks>=zs){r+=i;continue}r!==""&&n.push(document.createTextNode(r)),r="",this.looks+=1,n.push(c("span",o,i))}return r!==""&&n.push(document.createTextNode(
r)),n}};function Gs({colour:e,back:t,bold:n,dim:r,italic:i,underline:o,inverse:s}){let[l,u]=s?[t,e??"text"]:[e,t];return[u!==null?`on-${u}`:l!==null?`ansi-${l}`:
"",n&&"ansi-bold",r&&u===null&&"ansi-dim",i&&"ansi-italic",o&&"ansi-underline"].filter(Boolean).join(" ")}var Zs={0:Et,1:{bold:!0},2:{dim:!0},3:{italic:!0},4:{underline:!0},
7:{inverse:!0},21:{underline:!0},22:{bold:!1,dim:!1},23:{italic:!1},24:{underline:!1},27:{inverse:!1},39:{colour:null},49:{back:null}};function Ys(e,t){let n=t.
split(/[;:]/,Us).map(Number),r=e;for(let i=0;i<n.length;i++){let o=n[i];if(o===38||o===48){let[s,l]=Xs(n.slice(i+1));r={...r,[o===38?"colour":"back"]:s},i+=l}else
r={...r,...Zs[o],...Js(o)}}return r}function Js(e){let[t,n]=[Math.floor(e/10),e%10];return n>7?{}:t===3||t===9?{colour:n}:t===4||t===10?{back:n}:{}}function Xs(e){
let[t=0,n=0,r=0,i=0]=e;if(t===2)return[Ct(n,r,i),4];if(t!==5)return[null,e.length];if(n<16)return[n%8,2];if(n>=232)return[Ct(n,n,n),2];let o=s=>Math.floor((n-16)/
s)%6;return[Ct(o(36)*51,o(6)*51,o(1)*51),2]}function Ct(e,t,n){let r=[e,t,n],[i,o]=[Math.min(...r),Math.max(...r)];return o-i<48?o<96?0:7:r.reduce((s,l,u)=>s+(l>
(i+o)/2?1<<u:0),0)}var Qs="default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",el="html{background:#fff;color:#1f2328;font:13px/1.5 \
system-ui,sans-serif;overflow-wrap:anywhere}table{border-collapse:collapse}td,th{padding:2px 8px;text-align:right}img{max-width:100%}",tr=1e6,tl=2e4,nl=100,rl=new Set(
"A ABBR ARTICLE B BLOCKQUOTE BR CAPTION CODE COL COLGROUP DD DEL DETAILS DIV DL DT EM FIGCAPTION FIGURE FOOTER H1 H2 H3 H4 H5 H6 HEADER HR I IMG INS KBD LI MAIN\
 MARK OL P PRE Q S SAMP SECTION SMALL SPAN STRONG STYLE SUB SUMMARY SUP TABLE TBODY TD TFOOT TH THEAD TIME TR U UL VAR".split(" ")),il=new Set("SCRIPT TEMPLATE \
NOSCRIPT IFRAME OBJECT EMBED APPLET FRAME FRAMESET PORTAL TITLE TEXTAREA SELECT SVG MATH".split(" ")),ol=new Set("align alt class colspan dir height id lang ope\
n rowspan scope span start style title valign width".split(" ")),sl=/^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/;function nr(e,t,n){let r=e!==
void 0?al(e):t!==void 0?dl(t):"";if(r==="")return null;let i=e!==void 0?"HTML":"SVG",o=T(`As ${i}, without scripts and network`),s=()=>{o.open&&o.querySelector(
"iframe")===null&&o.append(ll(r,i))};return o.addEventListener("toggle",s),o.open=n,s(),o}function ll(e,t){let n=c("iframe","frame");return n.setAttribute("sand\
box",""),n.setAttribute("referrerpolicy","no-referrer"),n.setAttribute("allow",""),n.title=`${t} that the code made`,n.style.height=`${ul(e)}em`,n.srcdoc=`<!doc\
type html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${Qs}"><style>${el}</style><body>${e}`,n}function ul(e){let t=e.replace(/<style[^]*?<\/style>/g,
""),n=t.match(/<pre[^]*?<\/pre>/g)?.join("")??"",r=Qn(t,/<(?:tr|p|h\d|li|br|pre|div|dt|dd)\b/g)+Qn(n,/\n/g);return Math.min(30,4+1.8*r+(e.includes("<img")?20:0))}
function Qn(e,t){return e.match(t)?.length??0}function al(e){if(e.length>tr)return"";let t=new DOMParser().parseFromString(e,"text/html"),n=document.implementation.
createHTMLDocument(""),r={nodes:tl};for(let i of[t.head,t.body])rr(n.body,i,r,0);return n.body.textContent?.trim()===""&&n.body.querySelector("img, hr")===null?
"":n.body.innerHTML}function rr(e,t,n,r){if(!(r>nl))for(let i of t.childNodes){if(n.nodes--<=0)return;if(i.nodeType===Node.TEXT_NODE&&e.append(i.nodeValue??""),
!(i instanceof Element))continue;let o=i.tagName.toUpperCase();if(il.has(o))continue;let s=rl.has(o)?cl(e.ownerDocument,i,o):e;s!==null&&(s!==e&&e.append(s),rr(
s,i,n,r+1))}}function cl(e,t,n){let r=e.createElement(n);for(let{name:o,value:s}of t.attributes)ol.has(o)&&!(o==="style"&&/position|url\s*\(|\\/i.test(s))&&r.setAttribute(
o,s);if(n!=="IMG")return r;let i=sl.exec(t.getAttribute("src")??"");return i===null||q(i[1],i[2])!==""?null:(r.setAttribute("src",i[0]),r)}function dl(e){if(e.length>
tr||/<!ENTITY|<!DOCTYPE[^>]*\[|<(?:\w+:)?(?:fe)?image\b/i.test(e)||hl(e))return"";let t=new TextEncoder().encode(e),n=Array.from(t,r=>String.fromCharCode(r)).join(
"");return`<img alt="" src="data:image/svg+xml;base64,${btoa(n)}">`}function hl(e){let t=new DOMParser().parseFromString(e,"image/svg+xml");if(t.querySelector("\
parsererror")!==null)return!0;let n=[...t.querySelectorAll("*")];if(n.some(s=>s.localName==="style"&&(s.textContent??"").includes("url(")))return!0;let r=n.filter(
s=>s.localName==="use"),i=new Set(r.flatMap(s=>[...s.attributes].filter(({localName:l})=>l==="href").map(({value:l})=>l.replace(/^#/,""))));return r.some(s=>er(
s,({id:l})=>i.has(l)))?!0:n.filter(s=>[...s.attributes].some(({value:l})=>l.includes("url("))).some(s=>er(s,({localName:l})=>fl.has(l)))}var fl=new Set(["patter\
n","marker","mask","clipPath"]);function er(e,t){for(let n=e;n!==null;n=n.parentElement)if(t(n))return!0;return!1}var ye="application/vnd.smolcell.table+json",pl=1e6,ml=200,ir=100,gl=1e3;function Dt(e){let t=kl(e);if(t===null)return null;let[n,r]=t.gap,i=c("tr","",c("td",""),
...je(t.columns.map((a,d)=>sr(a,"col",t.numeric[d])),r,()=>c("th","","\u2026"))),o=t.rows.map((a,d)=>bl(t,t.index[d]??"",a)),s=()=>c("tr","gap",c("th","","\u2026"),
...je(t.columns.map(()=>c("td","","\u2026")),r,()=>c("td","","\u2026"))),l=c("table","table",c("thead","",i),c("tbody","",...je(o,n,s))),u=c("div","table-box",l);
return u.tabIndex=0,u.setAttribute("role","group"),u.setAttribute("aria-label","Table"),c("div","table-part",u,c("p","quiet",`${_(t.shape[0],"row")} \xD7 ${_(t.
shape[1],"column")}`))}function bl(e,t,n){let r=n.map((i,o)=>c("td",e.numeric[o]===!0?"numeric":"",p(i)));return c("tr","",sr(t,"row",!1),...je(r,e.gap[1],()=>c(
"td","","\u2026")))}function sr(e,t,n=!1){let r=c("th",n?"numeric":"",p(e));return r.scope=t,r}function je(e,t,n){return t>0&&t<e.length?[...e.slice(0,t),n(),...e.
slice(t)]:e}function kl(e){if(e.length>pl)return null;let t;try{t=JSON.parse(e)}catch{return null}if(typeof t!="object"||t===null)return null;let{columns:n,index:r,
rows:i,numeric:o,shape:s,gap:l}=t;return!xt(n,ir)||!xt(r,ml)||!Array.isArray(i)||i.length!==r.length||!i.every(u=>xt(u,ir)&&u.length===n.length)||!Array.isArray(
o)||o.length!==n.length||!o.every(u=>typeof u=="boolean")||!or(s)||!or(l)?null:{columns:n,index:r,rows:i,numeric:o,shape:s,gap:l}}function xt(e,t){return Array.
isArray(e)&&e.length<=t&&e.every(n=>typeof n=="string"&&n.length<=gl)}function or(e){return Array.isArray(e)&&e.length===2&&e.every(t=>Number.isSafeInteger(t)&&
t>=0)}function ur(e,t){let n=cr(e),r=n||Cl(e)?"":e.result,i=n?e.outputs.filter(o=>dr(o)||!St(o,e.result)):e.outputs;return[...El(e).map(o=>c("p","note",o)),...i.flatMap(
o=>xl(o,e.outputs.indexOf(o))),r!==""&&Rl("Result",ne("result",p(r))),e.error!==null&&Ml(e.error,t),e.changed.length>0&&vl(e.changed),e.files.length>0&&wl(e.files)]}
function vl(e){return e.length<=yl?c("p","changed","Wrote ",...lr(e)):T(`Wrote ${_(e.length,"name")}`,c("p","changed",...lr(e)))}var yl=20;function wl(e){let t=c(
"span","quiet"," \xB7 keep with: %agent files keep NAME");return c("p","files",`Files written: ${xe(e)}`,t)}function ar(){return ne("printed","")}function Cl(e){
return e.outputs.some(t=>St(t,e.result))}function St(e,t){return e.data["text/plain"]===t}function At(e,t=se){return t.find(n=>e.data[n]!==void 0&&q(n,e.data[n])===
"")}function cr(e){return e.is_final_answer&&e.error===null}function dr(e){return Object.keys(e.data).some(ae)}function hr(e){let t=cr(e)?e.outputs.find(o=>St(o,
e.result)&&!dr(o)):void 0;if(t===void 0)return[];let{[ye]:n,[fr]:r}=t.data;return At(t,[...se,...le])!==void 0||r!==void 0||n!==void 0&&Dt(n)!==null?pr(t):[]}function El(e){
let t=[];return e.dropped>0&&t.push(`${_(e.dropped,"character")} of output left out.`),e.state_lost&&t.push("The sandbox was restarted: variables of earlier ste\
ps are gone."),t}var fr="text/latex";function xl(e,t=0){let n=on(e.data,t,()=>mr(e));return n===null?pr(e):[n]}function pr(e){let[t,n]=[At(e),At(e,le)],{[ye]:r,
"text/plain":i,"text/html":o,"text/markdown":s,[fr]:l}=e.data;if(t!==void 0)return[Fl(t,e.data[t],i??"")];if(n!==void 0)return[_l(n,e.data[n],i??"")];let u=r===
void 0?null:Dt(r);if(u!==null)return[u];if(l!==void 0&&o===void 0)return[Un(l,ne("result",p(i??l)))];if(s!==void 0&&o===void 0)return[Tl(s)];let a=mr(e);if(a.some(
f=>f))return a;let d=[...Object.keys(e.data).filter(f=>f!==gr),...Object.keys(br(e))];return[c("p","note",`Not shown: ${p(d.join(", "))||"an empty output"}`)]}function mr(e){
let{"text/plain":t,"text/html":n,"image/svg+xml":r}=e.data,i=t!==void 0&&!/^<.*>$/s.test(t.trim()),o=nr(n,r,!i);return[...Al(e),t!==void 0&&(i||o===null)&&ne("r\
esult",p(t)),o]}var gr="application/vnd.smolcell.refused+json",Dl=[...se,...le,"image/svg+xml","text/html",ye];function Al(e){return[...se.map(r=>[r,e.data[r]===
void 0?"":q(r,e.data[r])]),...Object.entries(br(e)).filter(([r])=>Dl.includes(r)||ae(r)!==void 0)].filter(([,r])=>r!=="").map(([r,i])=>c("p","note",`${Sl[r]??(ae(
r)===void 0?"An image":"A chart")} is not shown: ${p(String(i))}.`))}var Sl={"video/mp4":"A video","video/webm":"A video","text/html":"HTML","image/svg+xml":"An\
 SVG image",[ye]:"A table"};function br(e){try{let t=JSON.parse(e.data[gr]??"{}");return typeof t=="object"&&t!==null?{...t}:{}}catch{return{}}}function Fl(e,t,n){
let r=c("img","image");return r.alt=p(n).slice(0,200)||"An image the code made",r.src=`data:${e};base64,${t.replace(/\s/g,"")}`,r}function _l(e,t,n){let r=c("vi\
deo","image");return[r.controls,r.loop,r.muted,r.preload]=[!0,!0,!0,"metadata"],r.setAttribute("aria-label",p(n).slice(0,200)||"A video the code made"),r.src=`d\
ata:${e};base64,${t.replace(/\s/g,"")}`,r.addEventListener("error",()=>r.replaceWith(c("p","note",`This browser cannot play the video (${e}).`),ne("result",p(n)))),
r}function Tl(e){let t=c("div","prose");return new H(t).set(e),t}function Ml(e,t){let n=e.line>0?t.split(`
`)[e.line-1]:void 0,r=new te(ne("traceback",""));return r.set(e.traceback),c("div","fault",c("p","fault-title",c("strong","",p(e.type)||"Error"),e.message===""?
null:`: ${p(e.message)}`),c("p","fault-kind",Ll[e.kind]??""),n!==void 0&&c("div","fault-line",c("span","",`line ${e.line}`),c("code","",p(n).trim())),e.hint!==void 0&&
e.hint!==""&&c("p","fault-hint",p(e.hint)),e.traceback!==""&&r.el)}var Ll={forbidden:"The guard refused this; it is not allowed in the sandbox.",limit:"A limit \
ended this step.",sandbox:"The sandbox ended.",stopped:"Stopped by a person."};function Rl(e,t){return t.setAttribute("aria-label",e),t}function ne(e,t){let n=c(
"pre",e,t);return n.tabIndex=0,n.setAttribute("role","group"),n.setAttribute("aria-label",e==="printed"?"Printed output":"Output"),n}function lr(e){return e.flatMap(
(t,n)=>[n>0?", ":null,c("code","",p(t))])}var $l=160;function vr(e){let t=[e.model,e.sandbox,e.approve&&`approve: ${e.approve}`,e.session&&`session: ${e.session}`,e.resumes&&"resumed"],n=e.files.filter(
i=>i.read_only),r=e.files.filter(i=>!i.read_only);return[c("ul","facts-line",...t.filter(i=>i!=="").map(i=>c("li","chip",p(i)))),e.boundary!==null&&Ol(e.boundary),
e.variables.length>0&&Bl(e.variables),r.length>0&&c("p","quiet",`Files copied in: ${xe(r)}`),n.length>0&&c("p","quiet",`Mounted read-only: ${p(n.map(({name:i})=>i).
join(", "))}`),e.tools.length>0&&c("p","quiet",`May call, on this side: ${p(e.tools.join(", "))}`),e.lost.length>0&&c("p","note",`Gone with the sandbox of befor\
e: ${p(e.lost.join(", "))}`),e.images>0&&c("p","quiet",`With ${_(e.images,"image")}.`)]}function yr(e){let t=p(e.task),n=c("div","task clamped",t),r=M("Show the\
 whole task","more",()=>i(!n.classList.toggle("smolcell-clamped"))),i=o=>{r.textContent=o?"Show less of the task":"Show the whole task",r.setAttribute("aria-exp\
anded",String(o))};return i(!1),r.hidden=t.length<=$l&&t.trimEnd().split(`
`).length<=2,typeof ResizeObserver<"u"&&new ResizeObserver(()=>Pl(n,r)).observe(n),[n,r]}function Pl(e,t){e.clientHeight===0||!e.classList.contains("smolcell-cl\
amped")||(t.hidden=e.scrollHeight<=e.clientHeight+1)}function Ol(e){let t=c("span",e.isolated?"badge safe":"badge open",e.isolated?"isolated":"walls missing"),n=Object.
entries(e.limits).map(([i,o])=>`${i} ${String(o)}`),r=T(c("span","","Code runs in ",p(e.where)," ",t,e.python?` Python: ${p(e.python)}; ${p(e.python_reason??"")}`:
null),e.walls.length>0&&c("ul","walls",...e.walls.map(Il)),N("Limits",n),!e.python?.startsWith("full")&&N("Imports allowed",e.imports),N("Hosts open",e.hosts.length>
0?e.hosts:["none"]));return r.classList.add("smolcell-boundary"),r}function Il({name:e,stands:t,detail:n}){let r=c("span",t?"stands":"missing",t?"stands":"missi\
ng");return c("li","wall",r," ",c("strong","",p(e)),n===""?null:`: ${p(n)}`)}function N(e,t){return t.length>0&&c("p","quiet",`${e}: ${p(t.join(", "))}`)}function Bl(e){
let t=e.map(({name:r,type:i})=>`${r} (${i})`).join(", "),n=e.map(({name:r,type:i,text:o})=>c("li","",c("code","",p(r)),` ${p(i)}`,c("pre","about",p(o))));return T(
`Goes in as a copy: ${p(t)}`,c("ul","variables",...n))}var Ft={success:"Done",max_steps_error:"Stopped at the step limit",refused:"Ended without approval",stopped:"\
Stopped",error:"Failed"};function wr(e){let t=e.ended;if(t===null)return[];let n=e.steps.filter(o=>o.observation!==null&&o.sha256!==""),r=jl(e),i=j(_(t.steps,"s\
tep"),$(t.duration),Y(t.usage),J(t.usage));return[c("div",`receipt ${t.state}`,c("strong","",Ft[t.state]??t.state),c("span","figures",i)),t.error!==""&&c("p","f\
ault-title",p(t.error)),r!==""&&c("p","quiet",`Tools called: ${p(r)}`),Nl(t.receipt,r===""),n.length>0&&T(`What ran: ${_(n.length,"step")}`,c("ul","hashes",...n.
map(o=>c("li","",`Step ${o.n}${o.call===0?"":`, call ${o.call}`}, allowed by ${p(o.by)}, SHA-256 `,c("code","",p(o.sha256))))))]}function Nl(e,t){let{imports:n=[],
packages:r=[],hosts:i=[],files:o=[],errors_by_type:s={},tools_called:l={},timings:u={}}=e,a=Object.entries(u).map(([f,g])=>`${Hl[f]??f} ${$(g)}`),d=[N("Errors",
kr(s)),N("Packages",r),N("Of the standard library",n.filter(f=>!r.includes(f))),N("Hosts",i),N("Files",o),t&&N("Tools called",kr(l)),N("Time",a)].filter(f=>f!==
!1);return d.length>0&&T("Details",...d)}var Hl={model:"model",waiting:"waiting for you",code:"code"};function kr(e){return Object.entries(e).map(([t,n])=>n===1?
t:`${t} ${n}\xD7`)}function jl(e){let t=new Map;for(let{name:r,times:i,duration:o,error:s}of e.steps.flatMap(l=>l.tools)){let l=t.get(r)??{times:0,duration:0,failed:!1};
t.set(r,{times:l.times+i,duration:l.duration+o,failed:l.failed||s!==""})}let n=([r,{times:i,duration:o,failed:s}])=>`${r} ${i}\xD7, ${$(o)}${s?", with errors":""}`;
return[...t].map(n).join("; ")}function qe(e){if(e.answer===null)return[];let{text:t,is_text:n}=e.answer,r=e.steps.at(-1)?.observation??null,i=r===null?[]:hr(r);
return[c("h4","answer-title","Answer"),...i.length>0?i:[n&&Vl(t)?ql(t):Ul(p(t))]]}function ql(e){let t=c("div","prose answer-prose");new H(t,!0).set(e);for(let n of t.
querySelectorAll(".smolcell-sample")){let r=c("div","copied");n.replaceWith(r),r.append(...[n,zl(n)].filter(i=>i!==null))}return t}function zl(e){let t=M("Copy",
"copy",()=>{navigator.clipboard.writeText(e.textContent??"").then(()=>n("Copied"),()=>n("Not copied"))});t.setAttribute("aria-live","polite");let n=r=>{t.textContent=
r,setTimeout(()=>t.textContent="Copy",2e3)};return typeof navigator.clipboard>"u"?null:t}function Ul(e){return Cr(e)?Kl(e):c("div","answer-text",e)}function Vl(e){
return!Cr(e)||e.split(`
`).some(t=>Wl.test(t))}var Wl=/^ {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/;function Kl(e){let t=c("pre","answer-table",e);return t.tabIndex=0,t.setAttribute("r\
ole","group"),t.setAttribute("aria-label","Answer"),t}var Gl=/^\s*([-*+\u2022]|\d+[.)])\s/,Zl=/(^|[^\s.!?:]) {2,}\S/;function Cr(e){let t=e.split(`
`).filter(n=>Er(n)!=="");return t.length>1&&3*t.filter(Yl).length>=t.length}function Yl(e){let t=Er(e);return t.length>1&&t.startsWith("|")&&t.endsWith("|")||!Gl.
test(e)&&Zl.test(e)}function Er(e){let[t,n]=[0,e.length];for(;t<n&&e[t]===" ";)t++;for(;n>t&&e[n-1]===" ";)n--;return e.slice(t,n)}var Jl=new Set("False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal \
not or pass raise return try while with yield match case".split(" ")),Xl=new Set("abs all any bool bytes dict enumerate filter float format frozenset getattr ha\
sattr int isinstance iter len list map max min next object open print range repr reversed round set setattr sorted str sum super tuple type zip eval exec compil\
e final_answer".split(" ")),Ql=new RegExp([/(?<comment>#[^\r\n]*)/,/(?<string>[rRbBuUfFtT]{0,2}(?:"""(?:\\[\s\S]|[^\\])*?(?:"""|$)|'''(?:\\[\s\S]|[^\\])*?(?:'''|$)|"(?:\\[\s\S]|[^"\\\r\n])*"?|'(?:\\[\s\S]|[^'\\\r\n])*'?))/,
/(?<number>(?:0[xXoObB][\da-fA-F_]+|\d[\d_]*\.?[\d_]*(?:[eE][+-]?\d+)?[jJ]?))/,/(?<decorator>@[\p{L}_][\p{L}\p{N}_.]*)/u,/(?<word>[\p{L}_][\p{L}\p{N}_]*)/u,/(?<plain>[\s\S])/].
map(e=>e.source).join("|"),"gu"),eu=1e5;function tu(e){if(e.length>eu)return[{kind:"plain",text:e}];let t=[],n="";for(let r of e.matchAll(Ql)){let i=n===".";n=r[0];
for(let o of nu(r))ou(t,i&&o.kind==="builtin"?{...o,kind:"name"}:o)}return t}function nu(e){let t=e[0],n=e.groups??{};if(n.string!==void 0)return/^[^"']*[fFtT]/.
test(t)?iu(t):[{kind:"string",text:t}];if(n.word!==void 0)return[{kind:ru(t),text:t}];for(let r of["comment","number","decorator"])if(n[r]!==void 0)return[{kind:r,
text:t}];return[{kind:"plain",text:t}]}function ru(e){return Jl.has(e)?"keyword":Xl.has(e)?"builtin":"name"}function iu(e){return e.split(/(\{\{|\}\}|\{[^{}]*\})/).
filter(t=>t!=="").map(t=>({kind:/^\{[^{]/.test(t)?"expression":"string",text:t}))}function ou(e,t){let n=e.at(-1);n!==void 0&&n.kind===t.kind?n.text+=t.text:e.push(
t)}var su=/\n|(?<=\r)(?!\n)/;function _t(e){let t=[[]],n="";for(let{kind:r,text:i}of tu(e))n.endsWith("\r")&&!i.startsWith(`
`)&&t.push([]),n=i,i.split(su).forEach((o,s)=>{s>0&&t.push([]),o!==""&&t.at(-1)?.push({kind:r,text:o})});return t}var ze={none:0,low:1,high:2};function Ue(e,t,n=[],r=0){let i=t==="code"?_t(e):e.split(`
`).map(s=>[{kind:"plain",text:s}]),o=c("div","code");return o.dataset.kind=t,o.setAttribute("role","group"),o.setAttribute("aria-label",`${i.length} ${i.length===
1?"line":"lines"} of ${t}`),o.style.setProperty("--smolcell-digits",String(String(i.length).length)),i.forEach((s,l)=>o.append(lu(s,l+1,cu(n,l+1),l+1===r))),o}function lu(e,t,n,r){
let i=(n==="none"?"":` ${n}`)+(r?" error-line":""),o=c("span","number");o.dataset.n=String(t);let s=c("code","source");for(let l of e)s.append(...Sr(l));return c(
"div",`line${i}`,o,s)}function Ar(e){return c("code","source",...(_t(e)[0]??[]).flatMap(Sr))}function Sr(e){return nt(e.text).flatMap(t=>t.hidden?[Fr(t.text)]:e.
kind==="plain"||e.kind==="name"?xr(t.text):[c("span",e.kind==="number"?"number-literal":e.kind,...uu.has(e.kind)?[t.text]:xr(t.text))])}var uu=new Set(["string",
"comment"]);function xr(e){return e.split(/([^\x00-\x7f]+)/).flatMap((t,n)=>t===""?[]:[n%2===0?document.createTextNode(t):au(t)])}function au(e){let t=c("span",
"foreign-char",e);return t.title=`letters beyond ASCII: ${[...e].map(Ee).join(" ")}`,t}function Fr(e){let t=c("span","hidden-char",e);return t.title=e===rt?"a t\
ab":"a character that cannot be seen",t}function cu(e,t){return e.filter(n=>n.line===t).reduce((n,{risk:r})=>ze[r]>ze[n]?r:n,"none")}function Tt(e){if(e.length===
0)return null;let t=[...e].sort((o,s)=>ze[s.risk]-ze[o.risk]||o.line-s.line),n=t.filter(o=>o.risk!=="none"),r=t.filter(o=>o.risk==="none"),i=c("ul","findings",...n.
map(du),r.length>0&&c("li","facts",...fu(r)));return i.setAttribute("aria-label","What was found in the code"),i}function du(e){let t=c("span","mark",e.risk==="\
high"?"Warning":"Note");return c("li",`finding ${e.risk}`,t," ",..._r(e.kind,[e.text]),pu(e))}var hu={import:"imports ",name:"changes ",file:"reads or writes a \
file: ",network:"reaches into the network: ",process:"starts a process or runs other code: ",install:"asks to install: ",dunder:"reaches into Python itself: ",tool:"\
calls "};function _r(e,t){let n=hu[e];return n===void 0?Tr(t.join(", ")):[n,...t.flatMap((r,i)=>i>0?[", ",Dr(r)]:[Dr(r)])]}function fu(e){return[...new Set(e.map(
n=>n.kind))].map(n=>{let r=[...new Set(e.filter(i=>i.kind===n).map(i=>i.text))];return c("span","fact",..._r(n,r))})}function Dr(e){return c("code","",...Tr(e))}
function Tr(e){return nt(e).map(t=>t.hidden?Fr(t.text):t.text)}function pu(e){return e.line>0?` (line ${e.line})`:""}var Mt="    ";function Mr(e){let t=Ve("editor",e);t.rows=Math.min(Math.max(e.split(`
`).length+1,4),30),t.setAttribute("aria-label","Edit the code before it runs. Escape, then Tab, leaves the editor.");let n=!1;return t.addEventListener("keydown",
r=>{r.isComposing||(r.key==="Tab"&&!n&&!r.ctrlKey&&!r.altKey&&!r.metaKey?(r.preventDefault(),r.shiftKey?bu(t):gu(t)):r.key==="Enter"&&!r.ctrlKey&&!r.metaKey&&(r.
preventDefault(),Lt(t,`
${mu(t)}`)),n=r.key==="Escape"||n&&r.key==="Shift")}),t}function Ve(e,t=""){let n=c("textarea",e);return n.value=t,n.spellcheck=!1,n.setAttribute("autocapitaliz\
e","off"),n.setAttribute("autocomplete","off"),n.dataset.lmSuppressShortcuts="true",n}function Lr(e){return e.value.lastIndexOf(`
`,e.selectionStart-1)+1}function mu(e){let t=e.value.slice(Lr(e),e.selectionStart),n=/^[ \t]*/.exec(t)?.[0]??"";return/:\s*(#.*)?$/.test(t)?n+Mt:n}function gu(e){
e.selectionStart===e.selectionEnd?Lt(e,Mt):Rr(e,t=>t===""?t:Mt+t)}function bu(e){Rr(e,t=>t.replace(/^( {1,4}|\t)/,""))}function Rr(e,t){let n=Lr(e),r=e.value.indexOf(
`
`,e.selectionEnd),i=r<0?e.value.length:r,o=e.value.slice(n,i).split(`
`).map(t).join(`
`),s=e.selectionStart===e.selectionEnd,l=Math.max(n,e.selectionStart+o.length-(i-n));e.setSelectionRange(n,i),Lt(e,o),e.setSelectionRange(s?l:n,s?l:n+o.length)}
function Lt(e,t){t!==""&&typeof document.execCommand=="function"&&document.execCommand("insertText",!1,t)||e.setRangeText(t,e.selectionStart,e.selectionEnd,"end")}var ku=Array.from({length:21},(e,t)=>t/20),Or=.94,vu=250,yu=4,wu=16,Cu={threshold:ku,trackVisibility:!0,delay:100},We=class{constructor(t,n){this.lines=t;this.changed=
n;this.unseen=new Set(t),this.observer=typeof IntersectionObserver>"u"?null:new IntersectionObserver(r=>this.see(r),Cu);for(let r of t)this.observer?.observe(r)}lines;changed;unseen;parts=new Map;pending=new Set;closed=!1;observer;get unread(){
return this.lines.flatMap((t,n)=>this.unseen.has(t)?[n+1]:[])}show(){this.lines.find(t=>this.unseen.has(t))?.scrollIntoView({block:"start"})}close(){this.closed=
!0,this.observer?.disconnect()}join(t,n){let r=xu(this.parts.get(t),n);this.parts.set(t,r),!(r[1]-r[0]<Or)&&(this.unseen.delete(t),this.observer?.unobserve(t))}lookAgain(t){
this.pending.size===0&&setTimeout(()=>this.observePending(),vu),this.pending.add(t)}observePending(){for(let t of this.closed?[]:this.pending)this.unseen.has(t)&&
(this.observer?.unobserve(t),this.observer?.observe(t));this.pending.clear()}see(t){let n=this.unseen.size;for(let r of t){let{target:i,isIntersecting:o,boundingClientRect:s,
intersectionRect:l}=r;!o||s.height===0||(Eu(r)||this.join(i,[(l.top-s.top)/s.height,(l.bottom-s.top)/s.height]),this.unseen.has(i)&&this.lookAgain(i))}this.unseen.
size===0&&this.close(),this.unseen.size<n&&this.changed()}};function Eu({target:e,isVisible:t,intersectionRatio:n,intersectionRect:r}){if(t===!0)return!1;if(t===
!1&&n>=Or)return!0;let i=e.getRootNode(),o=$r(r.left,r.right,yu);return $r(r.top,r.bottom,Math.ceil(r.height/wu)).some(l=>o.some(u=>!e.contains(i.elementFromPoint(
u,l))))}function $r(e,t,n){return Array.from({length:n},(r,i)=>e+(i+.5)*(t-e)/n)}function xu(e,t){return e===void 0?t:t[0]<=e[1]&&e[0]<=t[1]?[Math.min(e[0],t[0]),
Math.max(e[1],t[1])]:t[1]-t[0]>e[1]-e[0]?t:e}var Pr=4;function Ir(e,t){if(e.length===0)return"";if(e.length===t)return t===1?"The code has not been whole on you\
r screen.":`None of the ${t} lines has been whole on your screen.`;let n=Du(e),r=n.slice(0,Pr).map(([s,l])=>s===l?`${s}`:`${s}\u2013${l}`),i=n.length>Pr?" and o\
thers":"",o=e.length===1;return`${o?"Line":"Lines"} ${r.join(", ")}${i} of ${t} ${o?"has":"have"} not been on your screen.`}function Du(e){let t=[];for(let n of e){
let r=t.at(-1);r!==void 0&&r[1]===n-1?r[1]=n:t.push([n,n])}return t}var Au=5e3,Su=0,Ge=class{constructor(t,n,r,i,o){this.desk=t;this.step=n;this.pending=r;this.turned=o;let s=r.why?c("p","note",p(r.why)):null;this.el=c("div","co\
ntrols",s,this.row,this.unread,this.message),this.unread.id=`smolcell-unread-${++Su}`,this.reading=new We(i,()=>this.tellUnread(i.length)),this.el.setAttribute(
"role","group"),this.el.setAttribute("aria-label",`Decide about step ${n.n}`),this.message.setAttribute("role","status"),this.tellUnread(i.length),this.begin()}desk;step;pending;turned;el;row=c(
"div","row");message=c("p","message");unread=c("p","unread");reading;sent="";overdue;editor=null;press(t){this.sent!==""||this.mode!=="choose"||(t==="edit"?this.
edit():t==="refuse"?this.refuse():this.send({choice:t}))}get mode(){return this.el.dataset.mode??""}arm(t){for(let n of this.row.querySelectorAll("button"))n.disabled=
this.sent!=="",t||!n.matches("[data-sends]")?n.removeAttribute("aria-disabled"):n.setAttribute("aria-disabled","true")}take(t){t===null||t.id!==this.sent||this.
sent===""||(clearTimeout(this.overdue),t.ok||this.again(`Not accepted: ${t.why}.`))}close(){clearTimeout(this.overdue),this.reading.close()}tellUnread(t){let n=Ir(
this.reading.unread,t);this.unread.hidden=n==="",n===""?this.unread.replaceChildren():this.unread.firstChild===null?this.unread.append(n," ",M("Show it","more",
()=>this.reading.show())):this.unread.firstChild.textContent=n,n===""&&this.mode==="choose"&&this.offerMore()}offerMore(){if(this.reading.unread.length>0)return;
let t=this.step.kind==="plan"?"Approve every plan of this run":"Approve the rest of this run";this.offer(t,"approve_run"),this.pending.session===!0&&this.offer(
Fu,"approve_kind")}offer(t,n){let r=O(t,"quiet",()=>this.click({choice:n})),i=this.row.querySelector("button");r.disabled=i?.disabled??!1,i?.hasAttribute("aria-\
disabled")&&r.setAttribute("aria-disabled","true"),this.row.append(r)}begin(){this.step.kind==="question"?this.question():this.step.kind==="budget"?this.budget():
this.choose()}question(){let t=Ve("comment");t.rows=2,t.setAttribute("aria-label","Your answer. The agent's code reads it."),t.placeholder="Your answer (the age\
nt's code reads it)",this.editor=t,this.show("question",t,O("Send answer","primary",()=>this.click({choice:"edit",text:t.value})),O("Do not answer","",()=>this.
click({choice:"refuse"})),O("Stop","",()=>this.click({choice:"stop"})))}budget(){this.show("budget",O("Go on","primary",()=>this.click({choice:"approve"})),O("S\
top","",()=>this.click({choice:"stop"})))}choose(){this.editor=null;let t=this.pending.offers??[];this.show("choose",O("Approve","primary",()=>this.click({choice:"\
approve"}),"A"),Ke("Edit",()=>this.edit(),"E"),Ke("Refuse",()=>this.refuse(),"R"),O("Stop","",()=>this.click({choice:"stop"}),"S"),...t.map(({id:n,label:r,choice:i})=>O(
p(r),"offer",()=>this.click({choice:i,offer:n})))),this.offerMore()}edit(){let t=Mr(this.step.code);this.editor=t,this.show("edit",t,c("span","hint","Tab indent\
s; Escape, then Tab, leaves the editor."),O(this.step.kind==="plan"?"Use edited plan":"Run edited","primary",()=>this.click({choice:"edit",text:t.value})),Ke("C\
ancel",()=>this.back())),this.enter(t),t.setSelectionRange(0,0)}refuse(){let t=Ve("comment");t.rows=2,t.setAttribute("aria-label","Why, or what to do instead. T\
he model reads it."),t.placeholder="Why, or what to do instead (the model reads it)",this.show("refuse",t,O("Send refusal","danger",()=>this.click({choice:"refu\
se",comment:t.value})),Ke("Cancel",()=>this.back())),this.enter(t)}enter(t){t.focus({preventScroll:!0}),this.el.scrollIntoView?.({block:"nearest"})}back(){this.
choose(),this.row.querySelector("button")?.focus({preventScroll:!0})}show(t,...n){this.el.dataset.mode=t,this.row.replaceChildren(...n.filter(r=>r instanceof Node)),
this.say("");for(let r of this.row.querySelectorAll(".smolcell-primary"))r.setAttribute("aria-describedby",this.unread.id);this.turned(t)}click(t){this.desk.clickCounts()?
this.send(t):this.say("Too early: a click counts half a second after the step or the window came to the front. Click again.")}send(t){this.sent===""&&(this.sent=
this.desk.answer(this.pending,t),this.arm(!1),this.editor!==null&&(this.editor.readOnly=!0),this.say("Sent\u2026"),this.overdue=setTimeout(()=>this.again("The k\
ernel has not confirmed this yet. You can try again."),Au))}again(t){this.sent="",this.arm(!0),this.editor!==null&&(this.editor.readOnly=!1),this.say(t)}say(t){
this.message.textContent=t,this.message.hidden=t===""}},Fu="Approve code while the sandbox is isolated, in this session";function O(e,t,n,r=""){let i=M(e,t,o=>oe(
o)&&n(),r);return i.dataset.sends="",i}function Ke(e,t,n=""){return M(e,"",r=>oe(r)&&t(),n)}var _u=1e6,Br=2;function Nr(e,t){let[n,r]=[e.split(`
`),t.split(`
`)],i=0;for(;i<Math.min(n.length,r.length)&&n[i]===r[i];)i++;let o=0;for(;o<Math.min(n.length,r.length)-i&&n[n.length-1-o]===r[r.length-1-o];)o++;let s=u=>u.map(
a=>({sign:" ",text:a})),l=Tu(n.slice(i,n.length-o),r.slice(i,r.length-o));return[...s(n.slice(0,i)),...l,...s(n.slice(n.length-o))]}function Tu(e,t){let n=t.length+
1;if(e.length*t.length>_u)return[...e.map(s=>({sign:"-",text:s})),...t.map(s=>({sign:"+",text:s}))];let r=new Uint16Array((e.length+1)*n),i=(s,l)=>r[s*n+l];for(let s=e.
length-1;s>=0;s--)for(let l=t.length-1;l>=0;l--)r[s*n+l]=e[s]===t[l]?i(s+1,l+1)+1:Math.max(i(s+1,l),i(s,l+1));let o=[];for(let s=0,l=0;s<e.length||l<t.length;)s<
e.length&&l<t.length&&e[s]===t[l]?(o.push({sign:" ",text:e[s++]}),l++):l>=t.length||s<e.length&&i(s+1,l)>=i(s,l+1)?o.push({sign:"-",text:e[s++]}):o.push({sign:"\
+",text:t[l++]});return o}function Hr(e){let t=e.map((r,i)=>e.slice(Math.max(0,i-Br),i+Br+1).some(({sign:o})=>o!==" ")),n=c("div","code diff");return n.setAttribute(
"role","group"),n.setAttribute("aria-label","What you changed"),e.forEach((r,i)=>{t[i]===!0?n.append(Ru(r)):t[i-1]!==!1&&n.append(c("div","line left-out",c("spa\
n","sign","\u2026")))}),n}var Mu={" ":"","-":"taken out: ","+":"put in: "},Lu={" ":"line","-":"line taken-out","+":"line put-in"};function Ru({sign:e,text:t}){let n=c(
"span","sign",e==="-"?"\u2212":e);return n.setAttribute("aria-hidden","true"),c("div",Lu[e],n,c("span","spoken",Mu[e]),Ar(t))}var $u={thinking:"thinking",pending:"waiting",allowed:"running",running:"running",done:"done",refused:"refused",unparsed:"no code",cut:"cut short"},Pu={person:"\
you",policy:"the policy",auto:"auto-approval",remembered:"your earlier approval",caller:"the caller",deny:"the deny setting",nobody:"nobody: there was no one to\
 ask"},Ze=class{constructor(t,n){this.desk=t;this.runs=n;this.el=c("section","step",c("div","step-head",c("h4","step-title",this.toggle),this.facts),this.reasoningFold,
this.thought.el,this.draft.el,this.code.el,this.decision.el,this.place,this.tools.el,this.runs.el,this.printed.el,this.seen.el),this.collapse(!1)}desk;runs;el;controls=null;drawn=null;toggle=M(
"","step-toggle",()=>this.collapse(this.el.dataset.collapsed!=="true"));facts=c("div","step-facts");reasoningText=c("div","reasoning");reasoning=new H(this.reasoningText);reasoningFold=T(
"Reasoning",this.reasoningText);thought=new H(c("div","thought"));draft=new Ce(c("pre","draft"));code=new F(c("div","part"));decision=new F(c("div","decision"));place=c(
"div","place");printed=new te(ar());tools=new F(c("div","part"));seen=new F(c("div","part"));head=new F(this.facts);update(t,n,r){t!==this.drawn&&this.drawParts(
t),this.drawn=t,this.drawControls(t,n!==null&&n.fingerprint===t.fingerprint?n:null),this.runs.update(t.runs,r),this.waiting()!==void 0&&this.el.dataset.collapsed===
"true"&&this.collapse(!1)}shows(t){return t===this.drawn&&this.controls===null&&t.runs.length===0}waiting(){return this.controls===null?this.runs.waiting():this}get step(){
return this.drawn}collapse(t){this.el.dataset.collapsed=String(t&&this.waiting()===void 0),this.toggle.setAttribute("aria-expanded",String(this.el.dataset.collapsed===
"false"))}take(t){this.controls?.take(t)}drawParts(t){this.el.setAttribute("aria-label",qr(t)),this.el.dataset.call=String(t.call),this.el.dataset.status=$t(t)?
"failed":t.status,this.el.dataset.step=String(t.n),this.toggle.textContent!==jr(t)&&(this.toggle.textContent=jr(t)),this.head.draw([t.status,t.usage,t.observation,
t.kind],()=>Ou(t)),this.reasoning.set(t.reasoning.trim()),this.reasoningFold.hidden=t.reasoning==="";let[n,r]=t.reply===""?[t.thought,""]:Vu(t.reply);this.thought.
set(n.trim()),this.draft.set(p(r)),this.code.draw([t.code,t.kind,t.findings,t.edited,t.observation===null,Pt(t)],()=>Bu(t)),this.decision.draw([t.status,t.by,t.
scope,t.comment,t.offer,t.reason],()=>Uu(t)),this.tools.draw([t.tools],()=>ju(t.tools)),this.printed.set(t.observation===null?t.output:t.observation.stdout),this.
seen.draw([t.observation],()=>t.observation===null?[]:ur(t.observation,t.edited??t.code))}drawControls(t,n){let r=n!==null&&t.status==="pending"?n:null;if(JSON.
stringify(r)!==JSON.stringify(this.controls?.pending??null)){if(this.controls?.close(),this.controls=null,this.showCode(!0),r!==null){let i=[...this.code.el.querySelectorAll(
".smolcell-line")];this.controls=new Ge(this.desk,t,r,i,o=>this.showCode(o!=="edit"))}this.collapse(!1),this.place.replaceChildren(...this.controls===null?[]:[this.
controls.el])}}showCode(t){let n=this.code.el.querySelector(":scope > .smolcell-code");n!==null&&(n.hidden=!t)}};function $t(e){return e.observation?.error!=null}
function Pt(e){return e.observation?.error?.line??0}function Ou(e){let t=c("span",`status ${$t(e)?"failed":e.status}`,$t(e)?"error":$u[e.status]),n=e.observation===
null?"":`ran ${$(e.observation.duration)}`,r=e.duration>0?`model ${$(e.duration)}`:"",i=j(r,n,e.usage===null?"":Y(e.usage),e.usage===null?"":J(e.usage));return[
t,c("span","figures",i)]}function qr({n:e,call:t}){return t===0?`Step ${e}`:`Step ${e}, call ${t}`}var Iu={code:"",call:": a tool call",plan:": a plan",budget:"\
: the budget is spent",question:": a question to you"};function jr(e){return qr(e)+(e.kind==="call"&&e.call===0?"":Iu[e.kind])}function Bu(e){if(e.code==="")return[];
let t=e.observation===null?e.findings:e.findings.filter(({kind:n})=>n!=="name");return e.edited===null?[Ue(e.code,e.kind,t,Pt(e)),Tt(t)]:[c("p","note","Edited b\
y you. This ran:"),Ue(e.edited,e.kind,[],Pt(e)),Nu(e.code,e.edited),T("What the model proposed",Ue(e.code,e.kind,t),Tt(t))]}function Nu(e,t){let n=Nr(e,t),r=T("\
What you changed",Hr(n));return r.open=n.filter(({sign:i})=>i!==" ").length<=Hu,r}var Hu=20;function ju(e){if(e.length===0)return[];let t=e.reduce((r,{times:i})=>r+
i,0),n=T(`Tools called: ${t}`,c("ul","calls",...e.map(zu)));return n.open=e.length<=qu||e.some(({error:r})=>r!==""),[n]}var qu=5;function zu({text:e,result:t,error:n,
duration:r,times:i}){let o=n===""?c("code","quiet",p(t)):c("span","fault-title",p(n)),s=j(i>1?`${i} times, such as this`:"",$(r)),l=t===""&&n===""?"":" \u2192 ";
return c("li","call",c("code","",p(e)),l,o,c("span","figures",` \xB7 ${s}`))}function Uu(e){let t=Pu[e.by]??p(e.by);if(e.status==="unparsed")return[c("p","note",
"The reply held no program. The model was told: ",Rt(e.reason))];if(e.status==="refused")return[c("p","note",`Refused by ${t}`,e.reason===""?".":": ",Rt(e.reason))];
if(e.by==="")return[];let n=e.kind==="question"?"Answered":"Approved",r=e.scope==="run"?e.kind==="plan"?", with every plan of this run":", with the rest of this\
 run":e.scope==="kind"?", with later code of this session while the sandbox is isolated":"",i=e.offer===""?"":`, and ${p(e.offer)}`;return[c("p","quiet",`${n} b\
y ${t}${r}${i}`,e.comment===""?".":": ",Rt(e.comment))]}function Rt(e){return e===""?null:c("q","quote",p(e))}function Vu(e){let t=/<code>|```[a-z]*\n?|^(?=\s*\{)/m.
exec(e),n=e.slice(0,t?.index).replace(/^\s*Thought:\s*/,"");return t===null?[n,""]:[n,e.slice(t.index+t[0].length).replace(/\s*(<\/code>|```)\s*$/,"").trimStart()]}var Wu=50,Ku=8,Gu=3,we=class{constructor(t){this.desk=t}desk;el=c("div","steps");views=[];found;folded=0;batch=this.el;update(t,n){if(t.steps.forEach((r,i)=>{let o=this.
views[i]??this.add(),s=n!==null&&n.run===t.run&&n.step===r.n?n:null;(s!==null||!o.shows(r))&&o.update(r,s,n)}),this.cut(t.steps.length),this.views.length>=Ku)for(;this.
folded<this.views.length-Gu;this.folded++)this.views[this.folded]?.collapse(!0);this.found=this.views.findLast(r=>r.waiting()!==void 0)?.waiting()}waiting(){return this.
found}cut(t){for(let n of this.views.splice(t))n.el.remove();for(;this.batch!==this.el&&this.batch.firstChild===null;){let n=this.batch.previousElementSibling;this.
batch.remove(),this.batch=n?.classList.contains("smolcell-batch")===!0?n:this.el}}add(){let t=new Ze(this.desk,new Ot(this.desk));return this.views.length%Wu===
0&&this.views.length>0&&(this.batch=this.el.appendChild(c("div","batch"))),this.views.push(t),this.batch.append(t.el),t}},Ot=class{constructor(t){this.desk=t;this.
el.hidden=!0}desk;el=c("div","runs");views=[];update(t,n){this.el.hidden!==(t.length===0)&&(this.el.hidden=t.length===0),t.forEach((r,i)=>(this.views[i]??this.add()).
update(r,n));for(let r of this.views.splice(t.length))r.el.remove()}waiting(){return this.views.findLast(t=>t.steps.waiting()!==void 0)?.steps.waiting()}add(){let t=new It(
this.desk);return this.views.push(t),this.el.append(t.el),t}},It=class{el;steps;summary=new F(c("summary","summary"));task=new F(c("div","task-part"));answered=new F(
c("div","answer"));foot=new F(c("div","foot"));constructor(t){this.steps=new we(t),this.el=c("details","fold run",this.summary.el,this.task.el,this.steps.el,this.
answered.el,this.foot.el),this.el.open=!0}update(t,n){this.el.dataset.run!==t.run&&this.name(t),n!==null&&(n.run===t.run||n.run.startsWith(`${t.run}-`))&&!this.
el.open&&(this.el.open=!0),this.summary.draw([t.agent,t.model,t.boundary,t.phase,t.ended],()=>[Zu(t)]),this.task.draw([t.task],()=>[c("div","task",p(t.task))]),
this.steps.update(t,n),this.answered.draw([t.answer],()=>qe(t)),this.foot.draw([t.ended],()=>Yu(t))}name(t){this.el.dataset.run=t.run,this.el.setAttribute("aria\
-label",`Run of the agent ${p(t.agent)}`)}};function Zu(e){let t=e.ended===null?e.phase:Ft[e.ended.state]??e.ended.state,n=e.boundary===null?e.sandbox:e.boundary.
where;return c("span","",c("strong","",`Agent ${p(e.agent)}`),` \xB7 ${j(t.toLowerCase(),p(e.model),p(n))}`)}function Yu({ended:e}){if(e===null)return[];let t=j(
_(e.steps,"step"),$(e.duration),Y(e.usage),J(e.usage));return[c("p","quiet",t),e.error!==""&&c("p","fault-title",p(e.error))]}var Bt=Number.NEGATIVE_INFINITY,Ye=class{constructor(t,n,r,i=()=>performance.now()){this.root=t;this.changed=n;this.now=i;this.sight.pageVisible=document.visibilityState===
"hidden"?null:Bt;let o=window.top===window;this.sight.windowFocused=!o||document.hasFocus()?Bt:null,o&&this.watchWindow(r),document.addEventListener("visibility\
change",()=>this.set("pageVisible",document.visibilityState!=="hidden"),{signal:r}),t.addEventListener("focusin",s=>this.focused(s),{signal:r}),t.addEventListener(
"focusout",s=>this.left(s),{signal:r}),this.observer=typeof IntersectionObserver>"u"?null:new IntersectionObserver(s=>this.seen(s)),r.addEventListener("abort",()=>this.
observer?.disconnect())}root;changed;now;sight={drawn:null,pageVisible:null,windowFocused:null,inView:null,cardFocused:null};observer;watched=null;watch(t){this.
observer?.disconnect(),this.watched=t,this.sight.inView=this.observer===null?Bt:null,this.set("drawn",t!==null,!0),t!==null&&this.observer?.observe(t)}clickCounts(){
return ot(this.sight,this.now())}keyCounts(){return Kt(this.sight,this.now())}typed(){this.sight.cardFocused!==null&&this.set("cardFocused",!0,!0)}watchWindow(t){
window.addEventListener("focus",()=>this.set("windowFocused",!0),{signal:t}),window.addEventListener("blur",()=>this.set("windowFocused",!1),{signal:t})}focused(t){
let n=t.relatedTarget;n instanceof Node&&this.root.contains(n)&&!X(n)||this.set("cardFocused",!0,!0)}left(t){let n=t.relatedTarget;(!(n instanceof Node)||!this.
root.contains(n))&&this.set("cardFocused",!1)}seen(t){let n=t.findLast(r=>r.target===this.watched);n!==void 0&&this.set("inView",n.isIntersecting)}set(t,n,r=!1){
let i=this.sight[t];n?(i===null||r)&&(this.sight[t]=this.now()):this.sight[t]=null,this.changed(),n&&setTimeout(this.changed,505)}};var Je=class{constructor(t,n,r){this.feed=t;this.post=n;this.el.tabIndex=0,this.el.setAttribute("role","region");let i=c("div","head",c("div","head-text",this.task.
el,this.head.el));this.list=new we(this),this.el.append(this.rule.el,i,this.list.el,this.notices.el,this.now,this.answered.el,this.foot.el,this.exported.el,this.
announcer.el),this.lookout=new Ye(this.el,()=>this.arm(),r),this.borrowed=new Ae(this.el,r),this.record=new Te(this.el,()=>this.post.record(this.feed.state.run),
r),this.charts=new Fe(this.el,n,r),this.listen(r),this.update()}feed;post;el=c("div","card");task=new F(c("div","task-part"));head=new F(c("div","head-parts"));stopButton=M(
"Stop run","stop",()=>this.stop());rule=new F(document.createElement("style"));list;notices=new F(c("div","notices"));progress=c("div","progress");now=c("div","\
now",this.progress,this.stopButton);announcer=new De;answered=new F(c("div","answer"));foot=new F(c("div","foot"));record;charts;exported=new _e(()=>this.post.export(
this.feed.state.run));lookout;borrowed;phase="";since=performance.now();stopping=!1;over=!1;scrolled=!1;answer(t,n){return this.borrowed.keep(),this.scrolled=!1,
this.post.answer(t,n)}clickCounts(){return this.lookout.clickCounts()}update(){let{state:t}=this.feed,n=this.waiting()?.controls??null,r=t.ended!==null&&!this.over,
i=X(this.el.ownerDocument.activeElement);r&&this.borrowed.keep();let{isHere:o}=this.borrowed;this.drawEnds(t),this.list.update(t,this.feed.link==="live"?this.feed.
pending:null),this.drawStop(t);let s=this.waiting()?.controls??null;s!==n&&this.turned(o),s?.take(this.feed.verdict),this.announcer.tell(t,this.waiting()?.step??
void 0,this.feed.pending?.run),t.phase!==this.phase&&([this.phase,this.since]=[t.phase,performance.now()]),this.tick(),this.arm(),this.over=t.ended!==null,r&&!i&&
this.borrowed.giveBack()}drawTask(t){return this.el.setAttribute("aria-label",`Agent run ${p(t.task).slice(0,80)}`.trim()),t.task===""?[]:yr(t)}drawStop(t){this.
stopButton.hidden=t.ended!==null||this.feed.link!=="live"||this.waiting()!==void 0,this.stopButton.disabled=this.stopping;let n=String(!this.stopButton.hidden&&
this.feed.pending===null);this.now.dataset.floating!==n&&(this.now.dataset.floating=n)}waiting(){return this.list.waiting()}drawEnds(t){this.el.dataset.link=this.
feed.link,this.el.dataset.run=t.run,this.rule.draw([t.run],()=>[`.smolcell-run-${t.run.replace(/[^A-Za-z0-9-]/g,"")} { display: none; }`]),this.task.draw([t.task],
()=>this.drawTask(t)),this.head.draw([t.run,t.boundary,t.variables,t.model],()=>t.run===""?[]:vr(t)),this.notices.draw([t.notices.length],()=>t.notices.map(n=>c(
"p","note",p(n.text)))),this.answered.draw([t.answer],()=>qe(t)),this.foot.draw([t.ended],()=>wr(t)),this.exported.update(this.feed),this.record.update(this.feed),
this.charts.update(this.feed.library)}turned(t){let n=this.waiting();this.lookout.watch(n?.controls?.el??null);let r=t||Xt(this.el);(n===void 0?t&&!this.borrowed.
isHere:r||Jt(this.el))&&this.el.focus({preventScroll:!0}),n!==void 0&&r&&!this.scrolled&&zr(n)}arm(){this.waiting()?.controls?.arm(this.lookout.clickCounts()||this.
onlyUnfocused()),this.el.dataset.armed=String(this.waiting()!==void 0&&this.lookout.keyCounts())}onlyUnfocused(){let{drawn:t,pageVisible:n}=this.lookout.sight;return t!==
null&&n!==null&&performance.now()-Math.max(t,n)>=500}stop(){this.borrowed.keep(),this.stopping=!0,this.stopButton.disabled=!0,this.stopButton.textContent="Stopp\
ing\u2026",this.post.stop(this.feed.state.run)}listen(t){window.addEventListener("keydown",r=>this.keyDown(r),{capture:!0,signal:t});for(let r of["wheel","touch\
move"])window.addEventListener(r,()=>this.scrolled=!0,{capture:!0,passive:!0,signal:t});this.el.addEventListener("keydown",r=>X(r.target)&&r.stopPropagation(),{
signal:t});let n=setInterval(()=>this.tick(),1e3);t.addEventListener("abort",()=>clearInterval(n))}keyDown(t){let n=t.composedPath()[0]??null;if(Ju.has(t.key)&&
(this.scrolled=!0),!t.composedPath().includes(this.el)||X(n)||!Zt(t)||this.over&&t.key==="Enter"&&t.shiftKey||(t.stopImmediatePropagation(),!oe(t)))return;this.
lookout.keyCounts()||this.lookout.typed();let r=Gt(t);if(r===null)return;t.preventDefault();let i=this.waiting();i===void 0?r==="stop"&&!this.stopButton.hidden&&
!this.stopping&&this.stop():this.lookout.keyCounts()?i.controls?.press(r):this.lookout.sight.inView===null&&zr(i)}tick(){let t=this.doing();this.progress.textContent!==
t&&(this.progress.textContent=t),this.progress.hidden=t===""}doing(){let{state:t,link:n,pending:r}=this.feed;if(n==="dead")return"The kernel that ran this is go\
ne, or was restarted. Nothing here can run any more.";if(n==="connecting")return"Waiting for the kernel\u2026";if(n==="over")return t.ended===null?"This run is \
over.":"";let i=$(Math.floor((performance.now()-this.since)/1e3)).replace(".0",""),o=Xu[t.phase]??"";if(r!==null)return"Waiting for your decision.";if(t.phase===
"asking")return"Checking\u2026";let s=t.phase==="thinking"&&t.boundary===null&&t.progress===""?" \xB7 the sandbox is starting":"";return`${o}\u2026 ${i}${s}${t.
progress===""?"":` \xB7 ${p(t.progress)}`}`}};function zr(e){(e.el.getBoundingClientRect().height<window.innerHeight?e.el:e.controls?.el)?.scrollIntoView?.({block:"\
nearest"})}var Ju=new Set(["PageUp","PageDown","ArrowUp","ArrowDown","Home","End"]),Xu={opening:"Starting",thinking:"Thinking",running:"Running"};var qt={run:"",agent:"",task:"",variables:[],files:[],tools:[],lost:[],images:0,model:"",sandbox:"",approve:"",session:"",resumes:"",boundary:null,phase:"openin\
g",progress:"",steps:[],notices:[],answer:null,ended:null};function Xe(e,t=[]){return t.reduce(et,e.reduce(Qe,qt))}function Qe(e,t){if(e.run!==""&&t.run!==e.run)
return Qu(e,t);let n=ea(e,t);return n===e||n.progress===""?n:{...n,progress:""}}function Qu(e,t){if(t.event!=="Asked"||t.parent!==e.run)return Wr(e,i=>Qe(i,t));
let{parent_step:n=0,parent_call:r=0}=t;return L(e,n,i=>({...i,runs:[...i.runs,Xe([t])]}),r)}function Wr(e,t){let n=!1,r=e.steps.map(i=>{let o=i.runs.map(t);return o.
every((s,l)=>s===i.runs[l])?i:(n=!0,{...i,runs:o})});return n?{...e,steps:r}:e}function ea(e,t){switch(t.event){case"Asked":return na(e,t);case"Opened":return{...e,
boundary:t.boundary};case"Replied":return{...L(ra(e,t),t.step,ia(t)),phase:"thinking"};case"Unparsed":return{...L(e,t.step,oa(t)),phase:"thinking"};case"Trimmed":
return{...e,notices:[...e.notices,{step:t.step,text:ka(t.steps)}]};case"Proposed":return{...sa(e,t),phase:"asking"};case"Installed":return{...e,notices:[...e.notices,
{step:t.step,text:ga(t)}]};case"Allowed":return aa(L(e,t.step,ua(t),t.call),t);case"Refused":return Ur(L(e,t.step,ca(t),t.call),t.step);case"Called":return L(e,
t.step,ha(t));case"Observed":return Ur(L(e,t.step,fa(t),t.call),t.step);case"Answered":return{...L(e,t.step,pa),answer:{step:t.step,text:t.text,is_text:t.is_text??
!1}};case"Ended":return ma(e,t);default:return e}}function et(e,t){if((t.run??e.run)!==e.run)return Wr(e,n=>et(n,t));switch(t.channel){case"progress":return{...e,
progress:t.text};case"reply":return L(e,t.step,n=>({...n,reply:jt(n.reply,t.text)}));case"reasoning":return L(e,t.step,n=>({...n,reasoning:jt(n.reasoning,t.text)}));case"\
output":return L(e,t.step,n=>da(n,t.text));default:return e}}function L(e,t,n,r=0){let i=e.steps.findLastIndex(s=>s.n===t&&s.call===r),o=[...e.steps];return i<0?
o.push(n(ta(t,r))):o[i]=n(o[i]),{...e,steps:o}}function ta(e,t){return{n:e,call:t,status:"thinking",kind:"code",reply:"",reasoning:"",thought:"",code:"",fingerprint:"",
findings:[],edited:null,sha256:"",by:"",scope:"",comment:"",offer:"",reason:"",output:"",observation:null,usage:null,duration:0,runs:[],tools:[]}}function na(e,t){
let{run:n,task:r,variables:i,model:o,sandbox:s,approve:l,session:u,resumes:a="",files:d=[],tools:f=[],lost:g=[],agent:m=""}=t;return{...e,run:n,agent:m,task:r,variables:i,
files:d,tools:f,lost:g,images:t.images.length,model:o,sandbox:s,approve:l,session:u,resumes:a,phase:"thinking"}}function ra(e,{step:t,note:n=""}){return n===""?
e:{...e,notices:[...e.notices,{step:t,text:n}]}}function ia({text:e,reasoning:t,usage:n,duration:r}){return i=>({...i,reply:e,reasoning:t,usage:n,duration:r})}function oa({
reason:e}){return t=>({...t,status:"unparsed",reason:e})}function sa(e,t){let{step:n,call:r=0,thought:i}=t;if(r===0)return L(e,n,Ht(t));let o=e.steps.findLast(l=>l.
n===n&&l.call===0);if(o!==void 0&&o.status!=="thinking")return L(e,n,Ht(t),r);let s=L(e,n,l=>({...l,status:"done",kind:"call",reply:"",thought:i}));return L(s,n,
Ht({...t,thought:""}),r)}var la={edited:null,sha256:"",by:"",scope:"",comment:"",offer:"",reason:""};function Ht({kind:e,thought:t,text:n,fingerprint:r,findings:i}){
return o=>({...o,...la,status:"pending",reply:"",kind:e,thought:t,code:n,fingerprint:r,findings:i})}function ua({text:e,sha256:t,by:n,edited:r,scope:i,comment:o,
kind:s,offer:l=""}){let u=s==="plan"?"done":"allowed";return a=>({...a,status:u,edited:r?e:null,sha256:t,by:n,scope:i,comment:o,offer:l})}function aa(e,{kind:t,
step:n,call:r=0}){if(t==="plan")return{...e,phase:"thinking"};if(t!=="budget")return{...e,phase:"running"};let i=e.steps.find(s=>s.n===n&&s.call===r),o={step:n,
text:`${i?.code??""} It was allowed.`};return{...e,steps:e.steps.filter(s=>s!==i),notices:[...e.notices,o],phase:"thinking"}}function Ur(e,t){let n=e.steps.findLast(
r=>r.n===t&&r.call===0);return{...e,phase:n?.status==="allowed"||n?.status==="running"?"running":"thinking"}}function ca({reason:e,by:t}){return n=>({...n,status:"\
refused",reason:e,by:t})}function da(e,t){return{...e,status:e.status==="allowed"?"running":e.status,output:jt(e.output,t)}}var Vr=25e4;function jt(e,t){return e.
length>=Vr?e:(e+t).slice(0,Vr)}function ha({call:e,name:t,text:n,result:r,error:i,duration:o,times:s}){return l=>({...l,tools:[...l.tools,{call:e,name:t,text:n,
result:r,error:i,duration:o,times:s}]})}function fa(e){let{stdout:t,result:n,outputs:r,error:i,changed:o,is_final_answer:s,dropped:l,state_lost:u,duration:a,files:d=[]}=e,
f={stdout:t,result:n,outputs:r,error:i,changed:o,is_final_answer:s,dropped:l,state_lost:u,duration:a,files:d};return g=>({...g,status:"done",output:"",observation:f})}
function pa(e){return e.status==="thinking"?{...e,status:"done"}:e}function ma(e,t){let{state:n,steps:r,usage:i,duration:o,error:s,cut:l,receipt:u={}}=t,a=e.steps.
map(d=>ba.has(d.status)?{...d,status:"cut"}:d);return{...e,steps:a,phase:"ended",ended:{state:n,steps:r,usage:i,duration:o,error:s,cut:l,receipt:u}}}function ga({
packages:e,index:t}){return`Installed for this session from ${t}: ${e.map(({name:n,version:r})=>`${n} ${r}`).join(", ")}.`}var ba=new Set(["thinking","pending",
"allowed","running"]);function ka(e){return`The output of ${e.length===1?`step ${e[0]}`:`steps ${e.join(", ")}`} is no longer shown to the model: the history ou\
tgrew its prompt.`}var tt=class{constructor(t){this.sync=t}sync;state=qt;pending=null;link="connecting";verdict=null;cells=null;saved=null;library=null;last=0;listeners=new Set;listen(t){
return this.listeners.add(t),()=>this.listeners.delete(t)}receive(t){if(t.type==="json")return this.receive(JSON.parse(t.text));if(t.type==="verdict")this.verdict=
{id:t.id,ok:t.ok,why:t.why};else if(t.type==="cells")this.cells=t;else if(t.type==="record")this.saved=t;else if(t.type==="library")this.library=t;else if(t.type===
"snapshot")this.takeSnapshot(t);else if(!this.takeNumbered(t))return;t.type!=="snapshot"&&(this.link=this.state.ended===null?"live":"over"),this.changed()}restore(t){
t===""||this.state.ended!==null||(this.state=Xe(JSON.parse(t)),this.pending=null,this.link="over",this.changed())}die(){this.link!=="over"&&(this.link="dead",this.
changed())}takeNumbered(t){return!Number.isInteger(t.seq)||t.seq<=this.last?!1:t.seq>this.last+1?(this.sync(),!1):(this.last=t.seq,t.type==="event"&&(this.state=
Qe(this.state,t.event)),t.type==="delta"&&(this.state=et(this.state,t.delta)),t.type==="pending"&&(this.pending=t.pending),this.state.ended!==null&&(this.pending=
null),!0)}takeSnapshot(t){t.seq<this.last||(this.last=t.seq,this.state=va(this.state,Xe(t.events,t.deltas)),this.pending=t.pending,this.link=t.live&&this.state.
ended===null?"live":"over")}changed(){for(let t of[...this.listeners])t()}};function va(e,t){let n=t.steps.map((r,i)=>{let o=e.steps[i];return o!==void 0&&JSON.
stringify(o)===JSON.stringify(r)?o:r});return{...t,steps:n}}var ya=500,wa=4e3,zt=class{constructor(t){this.model=t;t.on("msg:custom",(n,r)=>this.receive(n,r)),t.on("change:snapshot",()=>this.restore()),t.on("comm:close",
()=>this.feed.die()),t.on("comm_live_update",()=>this.doubt()),this.restore()}model;feed=new tt(()=>this.sync());syncedAt=Number.NEGATIVE_INFINITY;answers=0;send(t){
try{return this.model.send(t),!0}catch{return this.feed.die(),!1}}ready(){this.send({type:"ready"}),setTimeout(()=>this.feed.link==="connecting"&&this.feed.die(),
wa)}post={answer:(t,n)=>{let r=this.newId();return this.send({type:"answer",id:r,...t,...n}),r},stop:t=>this.send({type:"stop",run:t}),export:t=>this.ask("expor\
t",t),record:t=>this.ask("record",t),library:t=>{this.send({type:"library",name:t})},picture:t=>{this.send({type:"picture",...t})}};ask(t,n){let r=this.newId();
return this.send({type:t,id:r,run:n})?r:""}newId(){return`${Date.now().toString(36)}-${++this.answers}`}receive(t,n=[]){if(typeof t!="object"||t===null)return;let[
r]=n;t.type!=="library"||r===void 0?this.feed.receive(t):Ca(r).then(i=>this.feed.receive({...t,code:i}))}restore(){let t=this.model.get("snapshot");typeof t=="s\
tring"&&this.feed.restore(t)}doubt(){this.feed.die(),this.sync()}sync(){let t=performance.now();t-this.syncedAt<ya||(this.syncedAt=t,this.send({type:"sync"}))}};
async function Ca(e){return new Response(new Blob([e]).stream().pipeThrough(new DecompressionStream("gzip"))).text()}function Ea(){let e=null,t=n=>e??=new zt(n);
return{initialize({model:n}){t(n).send({type:"init"})},render({model:n,el:r}){let{feed:i,post:o}=t(n),s=new AbortController,l=new Je(i,o,s.signal),u=i.listen(()=>l.
update());return r.append(l.el),t(n).ready(),()=>{s.abort(),u(),l.el.remove()}}}}export{Ea as default};
