var vi=Object.defineProperty;var sn=(e,t)=>{for(var n in t)vi(e,n,{get:t[n],enumerable:!0})};function a(e,t,...n){let r=document.createElement(e);return t!==""&&(r.className=t.split(" ").map(i=>`smolcell-${i}`).join(" ")),r.append(...n.filter(i=>i!==null&&
i!==!1)),r}function S(e,t,n,r=""){let i=a("button",`button ${t}`,e);if(i.type="button",r!==""){let o=a("kbd","key",r);o.setAttribute("aria-hidden","true"),i.append(
" ",o),i.setAttribute("aria-keyshortcuts",r)}return i.addEventListener("click",n),i}function _e(e,t){let n=a("input",t);return n.type=e,n.dataset.lmSuppressShortcuts=
"true",n}function _(e,...t){return a("details","fold",a("summary","summary",e),...t)}function ce(e,t){if(typeof ResizeObserver>"u")return;let n=new ResizeObserver(
()=>{e.clientWidth!==0&&(n.disconnect(),t())});n.observe(e)}var T=class{constructor(t){this.el=t}el;before=null;draw(t,n){if(this.before?.every((i,o)=>i===t[o])&&
this.before.length===t.length)return;this.before=t;let r=n().filter(i=>i!==null&&i!==!1);this.el.replaceChildren(...r),this.el.hidden=r.length===0}},Y=class{constructor(t){
this.el=t;t.addEventListener("scroll",()=>this.atEnd=t.scrollTop+t.clientHeight>=Math.min(this.drawn,t.scrollHeight)-4)}el;atEnd=!0;asked=!1;drawn=0;grown(){this.
asked||typeof requestAnimationFrame>"u"||(this.asked=!0,requestAnimationFrame(()=>{this.asked=!1,this.drawn=this.el.scrollHeight,this.atEnd&&(this.el.scrollTop=
this.drawn)}))}},Te=class{constructor(t){this.el=t;t.hidden=!0,this.following=new Y(t)}el;shown="";following;set(t){t!==this.shown&&(t.startsWith(this.shown)?this.
el.append(t.slice(this.shown.length)):this.el.textContent=t,this.shown=t,this.el.hidden=t==="",this.following.grown())}};var wi=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\u{1d159}\u{e0100}-\u{e01ef}]/u,
ln=new RegExp(wi.source,"gu"),Ei=/\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?$/u;function pt(e){let t=[],n=0;for(let r of e.matchAll(ln))r.index>n&&t.push({
text:e.slice(n,r.index),hidden:!1}),t.push({text:Me(r[0]),hidden:!0}),n=r.index+r[0].length;return n<e.length&&t.push({text:e.slice(n),hidden:!1}),t}var mt="\\t";
function Me(e){return e==="	"?mt:`\\u{${(e.codePointAt(0)??0).toString(16)}}`}function p(e){let t=e.replaceAll(`\r
`,`
`);return t.replace(ln,(n,r)=>xi(n,t,r)?n:Me(n))}function xi(e,t,n){return e===`
`||e==="	"||e==="\xA0"?!0:e!=="\u200D"&&e!=="\uFE0F"?!1:Ei.test(t.slice(Math.max(0,n-5),n).replace(/\ufe0f$/u,""))}function I(e){return e>0&&e<.05?"< 0.1 s":e<10?
`${e.toFixed(1)} s`:e<60?`${Math.round(e)} s`:`${Math.floor(e/60)} min ${Math.round(e)%60} s`}function M(e,t){return`${e.toLocaleString("en")} ${t}${e===1?"":"s"}`}
function ee(e){return e.input_tokens+e.output_tokens===0?"":`${e.input_tokens.toLocaleString("en")} + ${e.output_tokens.toLocaleString("en")} tokens`}function U(e){
return e.cost===null?"":`$${e.cost<.01?e.cost.toFixed(4):e.cost.toFixed(2)}`}function un(e,t){let n=e.toLocaleString("en");return t===0?`Context: ${n} tokens`:`\
Context: ${n} of ${t.toLocaleString("en")} tokens (${Math.max(1,Math.round(100*e/t))} %)`}function Le(e){if(e<1e3)return M(e,"byte");let t=Math.min(3,Math.floor(
Math.log10(e)/3));return`${(e/1e3**t).toPrecision(3)} ${["","kB","MB","GB"][t]}`}function Re(e){return p(e.map(({name:t,size:n})=>`${t} (${Le(n)})`).join(", "))}
function O(...e){return e.filter(t=>t!=="").join(" \xB7 ")}var Ci={success:"The run is done.",max_steps_error:"The run stopped at its step limit.",refused:"The run ended without approval.",stopped:"The run was stopped.",
error:"The run failed."},$e=class{el=a("div","announcer");told=new Set;heard=new WeakSet;constructor(){this.el.setAttribute("aria-live","polite"),this.el.setAttribute(
"role","status")}tell(t,n,r=""){let i=t.steps.filter(u=>!this.heard.has(u));for(let u of i)this.heard.add(u);let s=[...i.flatMap(Di),...n===void 0?[]:[Ai(n,r)],
...Si(t)].filter(([u])=>!this.told.has(u));for(let[u]of s)this.told.add(u);let l=s.at(-1);l!==void 0&&(this.el.textContent=l[1])}};function Di(e){let{observation:t}=e;
if(t===null||e.call>0)return[];let n=t.error===null?"is done":`ended with an error: ${p(t.error.type)}`;return[[`done ${e.n}`,`Step ${e.n} ${n}.`]]}function Ai(e,t){
let n=e.findings.filter(i=>i.risk!=="none").length,r=e.kind==="code"?`${M(e.code.split(`
`).length,"line")} of Python`:`a ${e.kind}`;return[`asks ${t} ${e.fingerprint} ${e.n}`,`Step ${e.n} waits for your decision: ${r}${n>0?`, ${M(n,"warning")}`:""}\
.`]}function Si({ended:e}){return e===null?[]:[["ended",Ci[e.state]??"The run is over."]]}function gt(e,t){return e!==null&&t-e>=500}function bt(e,t){return[e.drawn,e.pageVisible,e.windowFocused].every(n=>gt(n,t))}function an(e,t){return bt(e,t)&&gt(
e.inView,t)&&gt(e.cardFocused,t)}function L(e){return e.isTrusted}var Fi={a:"approve",e:"edit",r:"refuse",s:"stop"};function cn(e){return hn(e)||e.shiftKey||e.repeat||
e.isComposing?null:Fi[e.key.toLowerCase()]??null}function dn(e){return!hn(e)&&(e.key.length===1||e.key==="Enter")}function hn(e){return e.ctrlKey||e.altKey||e.metaKey}
function z(e){return e instanceof Element&&e.closest("input, textarea, select, [contenteditable]")!==null}var Ti=[".jp-Cell",".jp-Notebook"];function fn(e){let{activeElement:t,body:n}=e.ownerDocument,r=e.closest(".jp-Cell");return t===null||t===n||t===r?!0:t.contains(
e)&&r?.classList.contains("jp-mod-active")===!0}var _i="data-smolcell-ran-by-key";function pn(e){return e.closest(".jp-Cell")?.hasAttribute(_i)===!0}var Pe=class{constructor(t,n){
this.card=t;t.addEventListener("pointerdown",()=>this.clicked(),{capture:!0,signal:n}),t.addEventListener("focusin",r=>this.entered(r.relatedTarget),{signal:n})}card;from=null;keep(){
this.active?.matches("button")&&this.card.contains(this.active)&&this.card.focus({preventScroll:!0})}giveBack(){if(this.active===this.card){for(let t of[this.from,
...Ti.map(n=>this.card.closest(n))])if(t?.isConnected&&t.focus({preventScroll:!0}),this.active!==this.card)return}}get isHere(){return this.active!==null&&this.
card.contains(this.active)}get active(){let t=this.card.getRootNode();return t instanceof Document||t instanceof ShadowRoot?t.activeElement:null}clicked(){let{active:t}=this;
t!==null&&t!==document.body&&t.contains(this.card)&&t!==this.card?this.from=null:this.entered(t)}entered(t){t instanceof HTMLElement&&!t.contains(this.card)&&!this.
card.contains(t)&&(this.from=t)}};var de=["image/png","image/jpeg","image/gif","image/webp"],gn={"video/mp4":[4,"ftyp"],"video/webm":[0,"E\xDF\xA3"]},he=Object.keys(gn),Mi=7e6,Li=4e7,Ri=4e5;function W(e,t){
if(t.length>Mi)return"larger than 5 MB";if(t===""||!/^[A-Za-z0-9+/=\s]+$/.test(t))return"not base64";if(he.includes(e))return Pi(e,t)?"":`not what it claims to \
be, ${e}`;let n=$i(e,t);return n===null?`not what it claims to be, ${e}`:n[0]*n[1]>Li?`${n[0]} by ${n[1]} pixels`:""}function $i(e,t){let n=bn(t),r=n===null?null:
Oi[e]?.(n)??null;return r!==null&&r[0]>0&&r[1]>0?r:null}function Pi(e,t){let n=bn(t);return n!==null&&B(n,...gn[e])}function bn(e){let t=e.slice(0,Ri).replace(/\s/g,
"");try{let n=atob(t.slice(0,t.length-t.length%4));return new DataView(Uint8Array.from(n,r=>r.charCodeAt(0)).buffer)}catch{return null}}var Oi={"image/png":Ii,"\
image/gif":Bi,"image/jpeg":Ni,"image/webp":Hi};function B(e,t,n){return e.byteLength>=t+n.length&&[...n].every((r,i)=>e.getUint8(t+i)===r.charCodeAt(0))}function Ii(e){
return e.byteLength<24||!B(e,0,`\x89PNG\r

`)||!B(e,12,"IHDR")?null:[e.getUint32(16),e.getUint32(20)]}function Bi(e){return e.byteLength<10||!(B(e,0,"GIF87a")||B(e,0,"GIF89a"))?null:[e.getUint16(6,!0),e.
getUint16(8,!0)]}function Ni(e){if(!B(e,0,"\xFF\xD8"))return null;let t=2;for(;t+9<=e.byteLength&&e.getUint8(t)===255;){let n=e.getUint8(t+1);if(n===255)t+=1;else{
if(n>=192&&n<=207&&![196,200,204].includes(n))return[e.getUint16(t+7),e.getUint16(t+5)];t+=2+Math.max(e.getUint16(t+2),2)}}return null}function Hi(e){if(e.byteLength<
30||!B(e,0,"RIFF")||!B(e,8,"WEBP"))return null;if(B(e,12,"VP8 ")&&B(e,23,"\x9D*"))return[e.getUint16(26,!0)&16383,e.getUint16(28,!0)&16383];if(B(e,12,"VP8L")&&
e.getUint8(20)===47){let t=e.getUint32(21,!0);return[(t&16383)+1,(t>>>14&16383)+1]}return B(e,12,"VP8X")?[mn(e,24)+1,mn(e,27)+1]:null}function mn(e,t){return e.
getUint16(t,!0)+e.getUint8(t+2)*65536}var fe="smolcell-library",Ie=class{wanted=[];constructor(t,n,r){let i=({detail:o})=>{let s=this.wanted.some(({name:l})=>l===o.name);this.wanted.push(o),!Oe().has(
o.name)&&!s&&n(o.name),this.update(null)};t.addEventListener(fe,i,{signal:r})}update(t){t!==null&&Oe().set(t.name,t.code);let n=this.wanted;this.wanted=n.filter(
({name:r})=>!Oe().has(r));for(let{name:r,take:i}of n){let o=Oe().get(r);o!==void 0&&i(o)}}};function Oe(){let e=globalThis;return e[ji]??=new Map}var ji=Symbol.
for("smolcell.libraries");var kn="smolcell-picture",qi=3e6,Ui=8,zi=20,kt={first:450,least:60,most:2e3};function yn(e,t,n){for(let[r,i]of Object.entries(e)){let o=me(r),s=o===void 0?null:
Zi(o,i);if(o!==void 0&&s!==null)return new yt(o,s,t,e,n()).el}return null}function me(e){let t=/^application\/vnd\.(plotly\.v1|vega\.v\d|vegalite\.v\d)\+json$/.
exec(e)?.[1];return t===void 0?void 0:t.startsWith("plotly")?"plotly":"vega"}var yt=class{constructor(t,n,r,i,o){this.library=t;this.spec=n;this.output=r;this.text=
o;this.about=p(i["text/plain"]??"").slice(0,200)||"A chart the code made";let s=i["image/png"]??"";W("image/png",s)===""&&(this.picture=s),this.put(...this.still()),
ce(this.el,()=>this.draw())}library;spec;output;text;el=a("div","chart");about;frame=null;picture="";heard=0;draw(){let t=n=>{this.frame=Gi(Yi(n,this.spec),this.
about),this.heard=0,Vi(this),this.put(this.frame,_("As text",...this.text))};this.say(fe,{name:this.library,take:t})}hear({source:t,data:n}){let r=t?.parent;if(this.
frame===null||!r||r!==this.frame.contentWindow||typeof n!="object"||n===null||++this.heard>zi)return;let{height:i,picture:o,fault:s}=n;typeof i=="number"&&Number.
isFinite(i)&&(this.frame.style.height=`${Math.min(kt.most,Math.max(kt.least,i))}px`),typeof s=="string"&&this.fail(s),!(typeof o!="string"||this.picture!==""||W(
"image/png",o)!=="")&&(this.picture=o,this.say(kn,{output:this.output,data:o}))}rest(){this.frame=null,this.put(...this.still(),S("Interactive","quiet",()=>this.
draw()))}still(){if(this.picture==="")return this.text;let t=a("img","image");return t.alt=this.about,t.src=`data:image/png;base64,${this.picture}`,[t,_("As tex\
t",...this.text)]}fail(t){this.frame=null,this.put(a("p","note",`The chart is not drawn: ${p(t.slice(0,300))}`),...this.text)}put(...t){this.el.replaceChildren(
...t.filter(n=>n!==null&&n!==!1))}say(t,n){this.el.dispatchEvent(new CustomEvent(t,{bubbles:!0,composed:!0,detail:n}))}};function vn(e,t,n){let r=({target:i,detail:o})=>{
let s=Wi(i);s!==null&&t({...s,...o})};e.addEventListener(kn,r,{signal:n})}function Wi(e){let t=e.closest("[data-step]"),n=t?.closest("[data-run]")?.dataset.run;
return t===null||n===void 0?null:{run:n,step:Number(t.dataset.step),call:Number(t.dataset.call)}}var Z=[];function Vi(e){Z.length===0&&window.addEventListener("\
message",Ki),Z.splice(0,Z.length,...Z.filter(t=>t!==e&&t.el.isConnected),e),Z.length>Ui&&Z.shift()?.rest()}function Ki(e){for(let t of[...Z])t.hear(e)}function Gi(e,t){
let n=a("iframe","frame");return n.setAttribute("sandbox","allow-scripts"),n.setAttribute("referrerpolicy","no-referrer"),n.setAttribute("allow",""),n.title=t,n.
style.height=`${kt.first}px`,n.srcdoc=e,n}function Yi(e,t){let n=Array.from(crypto.getRandomValues(new Uint8Array(16)),c=>c.toString(16)).join(""),o=`<!doctype \
html><meta charset="utf-8">${[`default-src 'none'; script-src 'nonce-${n}'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'`,
"script-src 'unsafe-inline'"].map(c=>`<meta http-equiv="Content-Security-Policy" content="${c}">`).join("")}`,s=e.replace(/<(?=\/script|script|!--)/gi,"\\x3c"),
u=`${o}<style>html{background:#fff}body{margin:0;overflow-y:hidden}</style><div id="chart"></div><script type="application/json" id="spec">${t}<\/script><script \
nonce="${n}">${s}<\/script>`.replaceAll("&","&amp;").replaceAll('"',"&quot;");return`${o}<style>html,body{margin:0;height:100%}iframe{display:block;border:0;wid\
th:100%;height:100%}</style><iframe sandbox="allow-scripts" referrerpolicy="no-referrer" allow="" srcdoc="${u}"></iframe>`}function Zi(e,t){if(t.length>qi)return null;
try{let n=JSON.parse(t),r=pe(n)?e==="plotly"?Qi(n):n:null;return r===null?null:JSON.stringify(r).replaceAll("<","\\u003c")}catch{return null}}var Ji=/^choropleth|geo$|^(?:scatter|density)map(?:box)?$/;
function Qi({data:e,layout:t,frames:n}){return!Array.isArray(e)||e.length===0||!e.every(pe)||e.some(({type:r})=>Ji.test(String(r)))?null:vt({data:e,layout:pe(t)?
t:{},frames:Array.isArray(n)?n:[]})}function vt(e){if(typeof e=="string")return e.replace(/<\/?a\b[^>]*>/gi,"");if(Array.isArray(e))return e.map(vt);if(!pe(e))return e;
let t=Object.entries(e).filter(([n])=>!/^map(?:box)?\d*$/.test(n));return Object.fromEntries(t.map(([n,r])=>[n,vt(n==="images"&&Array.isArray(r)?r.filter(Xi):r)]))}
function Xi(e){return pe(e)&&/^data:image\/(?:png|jpeg|gif|webp);base64,/.test(String(e.source))}function pe(e){return typeof e=="object"&&e!==null&&!Array.isArray(
e)}var eo="smolcell-insert-cells",to="smolcell-run-over",no=1e4,Be=class{constructor(t){this.requested=t;this.ask.title="The approved steps as ordinary cells below\
, which give the same answer",this.said.setAttribute("role","status"),this.el.append(this.ask,this.said),this.el.hidden=!0}requested;el=a("div","export");ask=S(
"Write steps as cells","quiet",()=>this.request());said=a("div","exported");asked="";timer;update(t){let n=t.state.steps.some(r=>r.observation!==null||r.runs.length>
0);this.el.hidden=t.state.ended===null||!n,t.cells!==null&&t.cells.id===this.asked&&this.take(t.cells)}request(){if(this.timer===void 0){if(this.asked=this.requested(),
this.asked==="")return this.end("The run's kernel is gone. Its steps stand above; in a kernel that knows the session: %agent export");this.tell("Asking the kern\
el\u2026"),this.timer=setTimeout(()=>this.wait(),no)}}wait(){this.timer=void 0,this.tell("No kernel answered yet: it is busy with another cell, or gone. If it i\
s busy, the cells come when it is free.")}take({cells:t,notes:n,why:r}){if(r!=="")return this.end(`Not exported: ${r}`);let i=!this.el.dispatchEvent(new CustomEvent(
eo,{bubbles:!0,cancelable:!0,composed:!0,detail:t}));this.end(i?`${M(t.length,"cell")} below.`:"",...n.map(o=>a("p","note",p(o)))),i||this.said.append(...ro(t.join(
`

`)))}end(t,...n){clearTimeout(this.timer),this.timer=void 0,this.asked="",this.tell(t,...n)}tell(t,...n){this.said.replaceChildren(...t===""?[]:[a("p","quiet",p(
t))],...n)}};function ro(e){let t=a("pre","about",p(e));t.tabIndex=0,t.setAttribute("role","group"),t.setAttribute("aria-label","The steps as ordinary code");let n=S(
"Copy","quiet",()=>{navigator.clipboard?.writeText(e).then(()=>n.textContent="Copied")});return[t,n]}var io=1500,Ne=class{constructor(t,n,r){this.el=t;this.requested=
n;this.signal=r}el;requested;signal;told=!1;id="";take=null;update({state:t,saved:n}){n!==null&&n.id===this.id&&(this.take?.(n.data),this.take=null),!(t.ended===
null||this.told)&&(this.told=!0,setTimeout(()=>!this.signal.aborted&&this.tell(t.run),io))}tell(t){let n=()=>new Promise(r=>{this.take=r,this.id=this.requested()});
this.el.dispatchEvent(new CustomEvent(to,{bubbles:!0,composed:!0,detail:{run:t,record:n}}))}};var wt="    ",ge=class{constructor(t,n,r,i,o){this.text=t;this.python=n;this.changed=r;this.el.dataset.lmSuppressShortcuts="true",this.field=ao(t,()=>this.touch()),
this.el.append(this.field.el),this.el.addEventListener("keydown",s=>oo(s,i,o),{capture:!0})}text;python;changed;el=a("div","editor");field;touched=!1;locked=!1;closed=!1;get value(){
return this.touched?this.field.value:this.text}set readOnly(t){this.locked=t,this.field.readOnly=t}focus(t){this.field.focus()}improve(){let t=n=>{lo(n).then(r=>this.
become(r),()=>{})};this.el.dispatchEvent(new CustomEvent(fe,{bubbles:!0,composed:!0,detail:{name:"editor",take:t}}))}close(){this.closed=!0}touch(){this.touched=
!0,this.changed()}become({edit:t}){if(this.closed||!this.el.isConnected)return;let{field:n}=this,r=n.el.contains(this.el.getRootNode().activeElement),i=t({parent:this.
el,text:this.value,at:n.at,label:wn,python:this.python,changed:()=>this.touch()});this.field=i,i.readOnly=this.locked,n.el.remove(),r&&i.focus()}};function oo(e,t,n){
if(e.isComposing||e.altKey)return;let r=e.ctrlKey||e.metaKey,i=e.key==="Enter"&&(r||e.shiftKey);!i&&(e.key!=="Escape"||r||e.shiftKey)||(e.preventDefault(),e.stopPropagation(),
!(e.repeat||!L(e))&&(i?t():n()))}var wn="Edit before it runs. Control+Enter runs what is here, Escape leaves the editor.",so=Symbol.for("smolcell.editor");function lo(e){
let t=globalThis;return t[so]??=uo(e)}async function uo(e){let t=URL.createObjectURL(new Blob([e],{type:"text/javascript"}));try{return await import(t)}finally{
URL.revokeObjectURL(t)}}function ao(e,t){let n=te("program",e);return n.rows=Math.min(Math.max(e.split(`
`).length+1,4),30),n.setAttribute("aria-label",wn),n.addEventListener("input",t),n.addEventListener("keydown",r=>{r.isComposing||r.ctrlKey||r.altKey||r.metaKey||
(r.key==="Tab"?(r.preventDefault(),r.shiftKey?fo(n):ho(n)):r.key==="Enter"&&(r.preventDefault(),Et(n,`
${co(n)}`)))}),n.setSelectionRange(0,0),{el:n,focus:()=>n.focus({preventScroll:!0}),get at(){return n.selectionStart},get value(){return n.value},get readOnly(){
return n.readOnly},set readOnly(r){n.readOnly=r}}}function te(e,t=""){let n=a("textarea",e);return n.value=t,n.spellcheck=!1,n.setAttribute("autocapitalize","of\
f"),n.setAttribute("autocomplete","off"),n.dataset.lmSuppressShortcuts="true",n}function En(e){return e.value.lastIndexOf(`
`,e.selectionStart-1)+1}function co(e){let t=e.value.slice(En(e),e.selectionStart),n=/^[ \t]*/.exec(t)?.[0]??"";return/:\s*(#.*)?$/.test(t)?n+wt:n}function ho(e){
e.selectionStart===e.selectionEnd?Et(e,wt):xn(e,t=>t===""?t:wt+t)}function fo(e){xn(e,t=>t.replace(/^( {1,4}|\t)/,""))}function xn(e,t){let n=En(e),r=e.value.indexOf(
`
`,e.selectionEnd),i=r<0?e.value.length:r,o=e.value.slice(n,i).split(`
`).map(t).join(`
`),s=e.selectionStart===e.selectionEnd,l=Math.max(n,e.selectionStart+o.length-(i-n));e.setSelectionRange(n,i),Et(e,o),e.setSelectionRange(s?l:n,s?l:n+o.length)}
function Et(e,t){t!==""&&typeof document.execCommand=="function"&&document.execCommand("insertText",!1,t)||(e.setRangeText(t,e.selectionStart,e.selectionEnd,"en\
d"),e.dispatchEvent(new Event("input",{bubbles:!0})))}var po="smolcell-follow-up",mo=1e5,go=/^[\w.-]+$/,He=class{el=a("div","follow");area=te("next-task");said=a("div","by-hand");bar;state={task:"",session:""};constructor(){
this.area.rows=1,this.area.maxLength=mo,this.area.placeholder="Ask a follow-up",this.area.setAttribute("aria-label","Ask a follow-up: the session\u2019s next task, i\
n a new cell below"),this.area.addEventListener("keydown",r=>this.keyDown(r)),this.said.setAttribute("role","status");let t=S("Ask","",r=>L(r)&&this.ask(r.detail===
0)),n=S("Try again","quiet",r=>L(r)&&this.send(null,r.detail===0));t.title="Insert the task as an agent cell below, and run it",n.title="Insert the same task on\
ce more as an agent cell below, and run it",this.bar=a("div","bar",this.area,t,n),this.el.hidden=!0}update({state:t}){this.state=t,t.ended!==null&&this.el.hidden&&
this.el.append(this.bar,this.said),this.el.hidden=t.ended===null}keyDown(t){t.key!=="Enter"||t.shiftKey||t.isComposing||!L(t)||(t.preventDefault(),this.ask(!0))}ask(t){
let n=this.area.value.trim();n===""?this.area.focus():this.send(n,t)&&(this.area.value="")}send(t,n){let r={task:t,session:this.state.session,byKey:n},i=!this.el.
dispatchEvent(new CustomEvent(po,{bubbles:!0,cancelable:!0,composed:!0,detail:r}));return this.said.replaceChildren(...i?[]:this.byHand(t??this.state.task)),i}byHand(t){
let n=`${bo(this.state.session)}
${t}`,r=a("pre","about",n);r.tabIndex=0,r.setAttribute("role","group"),r.setAttribute("aria-label","The next cell");let i=S("Copy","quiet",()=>{navigator.clipboard?.
writeText(n).then(()=>i.textContent="Copied")});return[a("p","quiet","No cell can be inserted from here. Run this in a new one:"),r,i]}};function bo(e){return e===
""||e==="default"?"%%agent":`%%agent --session ${go.test(e)?e:`'${e.replaceAll("'",`'"'"'`)}'`}`}var je=class{el;boxes=[];constructor(t){this.el=a("ul","pieces",...t.map(n=>this.row(n))),this.el.setAttribute("aria-label","What is sent")}dropped(){return new Set(
this.boxes.filter(({box:t})=>!t.checked).map(({line:t})=>t))}row(t){let n=_e("checkbox","box");return n.checked=t.used,n.setAttribute("aria-label",`Send ${p(t.name)}`),
this.boxes.push({line:t.line,box:n}),a("li","piece",n,An({...t,by:""}))}};function Cn(e,t){return e.split(`
`).filter(n=>!t.has(n)).join(`
`)}function Dn(e){if(e.length===0)return null;let t=e.filter(s=>s.used),n=t.reduce((s,l)=>s+(l.text===""?0:l.size),0),r=e.length-t.length,i=O("What the model wa\
s sent",M(t.length,"piece"),n===0?"":Le(n),r===0?"":`${r} left out`),o=_(i,a("ul","pieces",...e.map(s=>a("li","piece",An(s)))));return o.classList.add("smolcell\
-sent"),o}var ko={person:"chosen by you",notebook:"always in this notebook",setting:"by the setting context",task:"named in the task",trust:"of a trusted folder"};
function An(e){let{kind:t,name:n,text:r,size:i,sha256:o,by:s="",note:l="",used:u}=e,c=o===""?null:a("code","digest",`SHA-256 ${p(o)}`),d=c!==null&&(t==="instruc\
tions"||t==="servers"),f=a("span","quiet",` ${O(i===0?"":Le(i),ko[s]??"",p(l))} `),g=a("span","",u?null:a("span","missing","not sent"),u?null:" ",a("strong","",
p(n)),f,d&&c);if(r==="")return a("div","piece-line",g);let m=a("pre","piece-text",p(r));return m.tabIndex=0,m.setAttribute("role","group"),m.setAttribute("aria-\
label",p(n)),_(g,m,!d&&c)}var xt={};sn(xt,{decode:()=>be,encode:()=>V,format:()=>ne,parse:()=>ke});var Sn={};function yo(e){let t=Sn[e];if(t)return t;t=Sn[e]=[];for(let n=0;n<128;n++){let r=String.fromCharCode(n);t.push(r)}for(let n=0;n<e.length;n++){let r=e.
charCodeAt(n);t[r]="%"+("0"+r.toString(16).toUpperCase()).slice(-2)}return t}function qe(e,t){typeof t!="string"&&(t=qe.defaultChars);let n=yo(t);return e.replace(
/(%[a-f0-9]{2})+/gi,function(r){let i="";for(let o=0,s=r.length;o<s;o+=3){let l=parseInt(r.slice(o+1,o+3),16);if(l<128){i+=n[l];continue}if((l&224)===192&&o+3<s){
let u=parseInt(r.slice(o+4,o+6),16);if((u&192)===128){let c=l<<6&1984|u&63;c<128?i+="\uFFFD\uFFFD":i+=String.fromCharCode(c),o+=3;continue}}if((l&240)===224&&o+
6<s){let u=parseInt(r.slice(o+4,o+6),16),c=parseInt(r.slice(o+7,o+9),16);if((u&192)===128&&(c&192)===128){let d=l<<12&61440|u<<6&4032|c&63;d<2048||d>=55296&&d<=
57343?i+="\uFFFD\uFFFD\uFFFD":i+=String.fromCharCode(d),o+=6;continue}}if((l&248)===240&&o+9<s){let u=parseInt(r.slice(o+4,o+6),16),c=parseInt(r.slice(o+7,o+9),
16),d=parseInt(r.slice(o+10,o+12),16);if((u&192)===128&&(c&192)===128&&(d&192)===128){let f=l<<18&1835008|u<<12&258048|c<<6&4032|d&63;f<65536||f>1114111?i+="\uFFFD\uFFFD\uFFFD\
\uFFFD":(f-=65536,i+=String.fromCharCode(55296+(f>>10),56320+(f&1023))),o+=9;continue}}i+="\uFFFD"}return i})}qe.defaultChars=";/?:@&=+$,#";qe.componentChars="";
var be=qe;var Fn={};function vo(e){let t=Fn[e];if(t)return t;t=Fn[e]=[];for(let n=0;n<128;n++){let r=String.fromCharCode(n);/^[0-9a-z]$/i.test(r)?t.push(r):t.push("%"+("0"+
n.toString(16).toUpperCase()).slice(-2))}for(let n=0;n<e.length;n++)t[e.charCodeAt(n)]=e[n];return t}function Ue(e,t,n){typeof t!="string"&&(n=t,t=Ue.defaultChars),
typeof n>"u"&&(n=!0);let r=vo(t),i="";for(let o=0,s=e.length;o<s;o++){let l=e.charCodeAt(o);if(n&&l===37&&o+2<s&&/^[0-9a-f]{2}$/i.test(e.slice(o+1,o+3))){i+=e.slice(
o,o+3),o+=2;continue}if(l<128){i+=r[l];continue}if(l>=55296&&l<=57343){if(l>=55296&&l<=56319&&o+1<s){let u=e.charCodeAt(o+1);if(u>=56320&&u<=57343){i+=encodeURIComponent(
e[o]+e[o+1]),o++;continue}}i+="%EF%BF%BD";continue}i+=encodeURIComponent(e[o])}return i}Ue.defaultChars=";/?:@&=+$,-_.!~*'()#";Ue.componentChars="-_.!~*'()";var V=Ue;function ne(e){let t="";return t+=e.protocol||"",t+=e.slashes?"//":"",t+=e.auth?e.auth+"@":"",e.hostname&&e.hostname.indexOf(":")!==-1?t+="["+e.hostname+"]":t+=
e.hostname||"",t+=e.port?":"+e.port:"",t+=e.pathname||"",t+=e.search||"",t+=e.hash||"",t}function ze(){this.protocol=null,this.slashes=null,this.auth=null,this.port=null,this.hostname=null,this.hash=null,this.search=null,this.pathname=null}var wo=/^([a-z0-9.+-]+:)/i,
Eo=/:[0-9]*$/,xo=/^(\/\/?(?!\/)[^\?\s]*)(\?[^\s]*)?$/,Co=["<",">",'"',"`"," ","\r",`
`,"	"],Do=["{","}","|","\\","^","`"].concat(Co),Ao=["'"].concat(Do),Tn=["%","/","?",";","#"].concat(Ao),_n=["/","?","#"],So=255,Mn=/^[+a-z0-9A-Z_-]{0,63}$/,Fo=/^([+a-z0-9A-Z_-]{0,63})(.*)$/,
Ln={javascript:!0,"javascript:":!0},Rn={http:!0,https:!0,ftp:!0,gopher:!0,file:!0,"http:":!0,"https:":!0,"ftp:":!0,"gopher:":!0,"file:":!0};function To(e,t){if(e&&
e instanceof ze)return e;let n=new ze;return n.parse(e,t),n}ze.prototype.parse=function(e,t){let n,r,i,o=e;if(o=o.trim(),!t&&e.split("#").length===1){let c=xo.exec(
o);if(c)return this.pathname=c[1],c[2]&&(this.search=c[2]),this}let s=wo.exec(o);if(s&&(s=s[0],n=s.toLowerCase(),this.protocol=s,o=o.substr(s.length)),(t||s||o.
match(/^\/\/[^@\/]+@[^@\/]+/))&&(i=o.substr(0,2)==="//",i&&!(s&&Ln[s])&&(o=o.substr(2),this.slashes=!0)),!Ln[s]&&(i||s&&!Rn[s])){let c=-1;for(let h=0;h<_n.length;h++)
r=o.indexOf(_n[h]),r!==-1&&(c===-1||r<c)&&(c=r);let d,f;c===-1?f=o.lastIndexOf("@"):f=o.lastIndexOf("@",c),f!==-1&&(d=o.slice(0,f),o=o.slice(f+1),this.auth=d),c=
-1;for(let h=0;h<Tn.length;h++)r=o.indexOf(Tn[h]),r!==-1&&(c===-1||r<c)&&(c=r);c===-1&&(c=o.length),o[c-1]===":"&&c--;let g=o.slice(0,c);o=o.slice(c),this.parseHost(
g),this.hostname=this.hostname||"";let m=this.hostname[0]==="["&&this.hostname[this.hostname.length-1]==="]";if(!m){let h=this.hostname.split(/\./);for(let x=0,
C=h.length;x<C;x++){let y=h[x];if(y&&!y.match(Mn)){let D="";for(let E=0,v=y.length;E<v;E++)y.charCodeAt(E)>127?D+="x":D+=y[E];if(!D.match(Mn)){let E=h.slice(0,x),
v=h.slice(x+1),w=y.match(Fo);w&&(E.push(w[1]),v.unshift(w[2])),v.length&&(o=v.join(".")+o),this.hostname=E.join(".");break}}}}this.hostname.length>So&&(this.hostname=
""),m&&(this.hostname=this.hostname.substr(1,this.hostname.length-2))}let l=o.indexOf("#");l!==-1&&(this.hash=o.substr(l),o=o.slice(0,l));let u=o.indexOf("?");return u!==
-1&&(this.search=o.substr(u),o=o.slice(0,u)),o&&(this.pathname=o),Rn[n]&&this.hostname&&!this.pathname&&(this.pathname=""),this};ze.prototype.parseHost=function(e){
let t=Eo.exec(e);t&&(t=t[0],t!==":"&&(this.port=t.substr(1)),e=e.substr(0,e.length-t.length)),e&&(this.hostname=e)};var ke=To;var At={};sn(At,{Any:()=>_o,Cc:()=>Mo,Cf:()=>Lo,P:()=>Ct,S:()=>Dt,Z:()=>Ro});var _o=/[\0-\uD7FF\uE000-\uFFFF]|[\uD800-\uDBFF][\uDC00-\uDFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?:[^\uD800-\uDBFF]|^)[\uDC00-\uDFFF]/,
Mo=/[\0-\x1F\x7F-\x9F]/,Lo=/[\xAD\u0600-\u0605\u061C\u06DD\u070F\u0890\u0891\u08E2\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB]|\uD804[\uDCBD\uDCCD]|\uD80D[\uDC30-\uDC3F]|\uD82F[\uDCA0-\uDCA3]|\uD834[\uDD73-\uDD7A]|\uDB40[\uDC01\uDC20-\uDC7F]/,
Ct=/[!-#%-\*,-\/:;\?@\[-\]_\{\}\xA1\xA7\xAB\xB6\xB7\xBB\xBF\u037E\u0387\u055A-\u055F\u0589\u058A\u05BE\u05C0\u05C3\u05C6\u05F3\u05F4\u0609\u060A\u060C\u060D\u061B\u061D-\u061F\u066A-\u066D\u06D4\u0700-\u070D\u07F7-\u07F9\u0830-\u083E\u085E\u0964\u0965\u0970\u09FD\u0A76\u0AF0\u0C77\u0C84\u0DF4\u0E4F\u0E5A\u0E5B\u0F04-\u0F12\u0F14\u0F3A-\u0F3D\u0F85\u0FD0-\u0FD4\u0FD9\u0FDA\u104A-\u104F\u10FB\u1360-\u1368\u1400\u166E\u169B\u169C\u16EB-\u16ED\u1735\u1736\u17D4-\u17D6\u17D8-\u17DA\u1800-\u180A\u1944\u1945\u1A1E\u1A1F\u1AA0-\u1AA6\u1AA8-\u1AAD\u1B4E\u1B4F\u1B5A-\u1B60\u1B7D-\u1B7F\u1BFC-\u1BFF\u1C3B-\u1C3F\u1C7E\u1C7F\u1CC0-\u1CC7\u1CD3\u2010-\u2027\u2030-\u2043\u2045-\u2051\u2053-\u205E\u207D\u207E\u208D\u208E\u2308-\u230B\u2329\u232A\u2768-\u2775\u27C5\u27C6\u27E6-\u27EF\u2983-\u2998\u29D8-\u29DB\u29FC\u29FD\u2CF9-\u2CFC\u2CFE\u2CFF\u2D70\u2E00-\u2E2E\u2E30-\u2E4F\u2E52-\u2E5D\u3001-\u3003\u3008-\u3011\u3014-\u301F\u3030\u303D\u30A0\u30FB\uA4FE\uA4FF\uA60D-\uA60F\uA673\uA67E\uA6F2-\uA6F7\uA874-\uA877\uA8CE\uA8CF\uA8F8-\uA8FA\uA8FC\uA92E\uA92F\uA95F\uA9C1-\uA9CD\uA9DE\uA9DF\uAA5C-\uAA5F\uAADE\uAADF\uAAF0\uAAF1\uABEB\uFD3E\uFD3F\uFE10-\uFE19\uFE30-\uFE52\uFE54-\uFE61\uFE63\uFE68\uFE6A\uFE6B\uFF01-\uFF03\uFF05-\uFF0A\uFF0C-\uFF0F\uFF1A\uFF1B\uFF1F\uFF20\uFF3B-\uFF3D\uFF3F\uFF5B\uFF5D\uFF5F-\uFF65]|\uD800[\uDD00-\uDD02\uDF9F\uDFD0]|\uD801\uDD6F|\uD802[\uDC57\uDD1F\uDD3F\uDE50-\uDE58\uDE7F\uDEF0-\uDEF6\uDF39-\uDF3F\uDF99-\uDF9C]|\uD803[\uDD6E\uDEAD\uDED0\uDF55-\uDF59\uDF86-\uDF89]|\uD804[\uDC47-\uDC4D\uDCBB\uDCBC\uDCBE-\uDCC1\uDD40-\uDD43\uDD74\uDD75\uDDC5-\uDDC8\uDDCD\uDDDB\uDDDD-\uDDDF\uDE38-\uDE3D\uDEA9\uDFD4\uDFD5\uDFD7\uDFD8]|\uD805[\uDC4B-\uDC4F\uDC5A\uDC5B\uDC5D\uDCC6\uDDC1-\uDDD7\uDE41-\uDE43\uDE60-\uDE6C\uDEB9\uDF3C-\uDF3E]|\uD806[\uDC3B\uDD44-\uDD46\uDDE2\uDE3F-\uDE46\uDE9A-\uDE9C\uDE9E-\uDEA2\uDF00-\uDF09\uDFE1]|\uD807[\uDC41-\uDC45\uDC70\uDC71\uDEF7\uDEF8\uDF43-\uDF4F\uDFFF]|\uD809[\uDC70-\uDC74]|\uD80B[\uDFF1\uDFF2]|\uD81A[\uDE6E\uDE6F\uDEF5\uDF37-\uDF3B\uDF44]|\uD81B[\uDD6D-\uDD6F\uDE97-\uDE9A\uDFE2]|\uD82F\uDC9F|\uD836[\uDE87-\uDE8B]|\uD839\uDDFF|\uD83A[\uDD5E\uDD5F]/,
Dt=/[\$\+<->\^`\|~\xA2-\xA6\xA8\xA9\xAC\xAE-\xB1\xB4\xB8\xD7\xF7\u02C2-\u02C5\u02D2-\u02DF\u02E5-\u02EB\u02ED\u02EF-\u02FF\u0375\u0384\u0385\u03F6\u0482\u058D-\u058F\u0606-\u0608\u060B\u060E\u060F\u06DE\u06E9\u06FD\u06FE\u07F6\u07FE\u07FF\u0888\u09F2\u09F3\u09FA\u09FB\u0AF1\u0B70\u0BF3-\u0BFA\u0C7F\u0D4F\u0D79\u0E3F\u0F01-\u0F03\u0F13\u0F15-\u0F17\u0F1A-\u0F1F\u0F34\u0F36\u0F38\u0FBE-\u0FC5\u0FC7-\u0FCC\u0FCE\u0FCF\u0FD5-\u0FD8\u109E\u109F\u1390-\u1399\u166D\u17DB\u1940\u19DE-\u19FF\u1B61-\u1B6A\u1B74-\u1B7C\u1FBD\u1FBF-\u1FC1\u1FCD-\u1FCF\u1FDD-\u1FDF\u1FED-\u1FEF\u1FFD\u1FFE\u2044\u2052\u207A-\u207C\u208A-\u208C\u20A0-\u20C1\u2100\u2101\u2103-\u2106\u2108\u2109\u2114\u2116-\u2118\u211E-\u2123\u2125\u2127\u2129\u212E\u213A\u213B\u2140-\u2144\u214A-\u214D\u214F\u218A\u218B\u2190-\u2307\u230C-\u2328\u232B-\u2429\u2440-\u244A\u249C-\u24E9\u2500-\u2767\u2794-\u27C4\u27C7-\u27E5\u27F0-\u2982\u2999-\u29D7\u29DC-\u29FB\u29FE-\u2B73\u2B76-\u2BFF\u2CE5-\u2CEA\u2E50\u2E51\u2E80-\u2E99\u2E9B-\u2EF3\u2F00-\u2FD5\u2FF0-\u2FFF\u3004\u3012\u3013\u3020\u3036\u3037\u303E\u303F\u309B\u309C\u3190\u3191\u3196-\u319F\u31C0-\u31E5\u31EF\u3200-\u321E\u322A-\u3247\u3250\u3260-\u327F\u328A-\u32B0\u32C0-\u33FF\u4DC0-\u4DFF\uA490-\uA4C6\uA700-\uA716\uA720\uA721\uA789\uA78A\uA828-\uA82B\uA836-\uA839\uAA77-\uAA79\uAB5B\uAB6A\uAB6B\uFB29\uFBB2-\uFBD2\uFD40-\uFD4F\uFD90\uFD91\uFDC8-\uFDCF\uFDFC-\uFDFF\uFE62\uFE64-\uFE66\uFE69\uFF04\uFF0B\uFF1C-\uFF1E\uFF3E\uFF40\uFF5C\uFF5E\uFFE0-\uFFE6\uFFE8-\uFFEE\uFFFC\uFFFD]|\uD800[\uDD37-\uDD3F\uDD79-\uDD89\uDD8C-\uDD8E\uDD90-\uDD9C\uDDA0\uDDD0-\uDDFC]|\uD802[\uDC77\uDC78\uDEC8]|\uD803[\uDD8E\uDD8F\uDED1-\uDED8]|\uD805\uDF3F|\uD807[\uDFD5-\uDFF1]|\uD81A[\uDF3C-\uDF3F\uDF45]|\uD82F\uDC9C|\uD833[\uDC00-\uDCEF\uDCFA-\uDCFC\uDD00-\uDEB3\uDEBA-\uDED0\uDEE0-\uDEF0\uDF50-\uDFC3]|\uD834[\uDC00-\uDCF5\uDD00-\uDD26\uDD29-\uDD64\uDD6A-\uDD6C\uDD83\uDD84\uDD8C-\uDDA9\uDDAE-\uDDEA\uDE00-\uDE41\uDE45\uDF00-\uDF56]|\uD835[\uDEC1\uDEDB\uDEFB\uDF15\uDF35\uDF4F\uDF6F\uDF89\uDFA9\uDFC3]|\uD836[\uDC00-\uDDFF\uDE37-\uDE3A\uDE6D-\uDE74\uDE76-\uDE83\uDE85\uDE86]|\uD838[\uDD4F\uDEFF]|\uD83B[\uDCAC\uDCB0\uDD2E\uDEF0\uDEF1]|\uD83C[\uDC00-\uDC2B\uDC30-\uDC93\uDCA0-\uDCAE\uDCB1-\uDCBF\uDCC1-\uDCCF\uDCD1-\uDCF5\uDD0D-\uDDAD\uDDE6-\uDE02\uDE10-\uDE3B\uDE40-\uDE48\uDE50\uDE51\uDE60-\uDE65\uDF00-\uDFFF]|\uD83D[\uDC00-\uDED8\uDEDC-\uDEEC\uDEF0-\uDEFC\uDF00-\uDFD9\uDFE0-\uDFEB\uDFF0]|\uD83E[\uDC00-\uDC0B\uDC10-\uDC47\uDC50-\uDC59\uDC60-\uDC87\uDC90-\uDCAD\uDCB0-\uDCBB\uDCC0\uDCC1\uDCD0-\uDCD8\uDD00-\uDE57\uDE60-\uDE6D\uDE70-\uDE7C\uDE80-\uDE8A\uDE8E-\uDEC6\uDEC8\uDECD-\uDEDC\uDEDF-\uDEEA\uDEEF-\uDEF8\uDF00-\uDF92\uDF94-\uDFEF\uDFFA]/,
Ro=/[ \xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]/;var We=class{},ye=e=>e;var St={toASCII:ye,toUnicode:ye};var $n=Object.defineProperty,Vn=(e,t)=>{let n={};for(var r in e)$n(n,r,{get:e[r],enumerable:!0});return t||$n(n,Symbol.toStringTag,{value:"Module"}),n},$o=Vn({arrayReplaceAt:()=>Po,
asciiTrim:()=>Ze,callable:()=>Kn,escapeHtml:()=>K,escapeRE:()=>Wo,fromCodePoint:()=>we,isMdAsciiPunct:()=>Ce,isPunctChar:()=>Yn,isPunctCharCode:()=>xe,isSpace:()=>F,
isValidEntityCode:()=>Rt,isWhiteSpace:()=>Ee,lib:()=>Vo,normalizeReference:()=>Ye,unescapeAll:()=>re,unescapeMd:()=>No});function Kn(e){let t=function(...n){return Reflect.
construct(e,n,new.target&&new.target!==t?new.target:e)};return Object.defineProperty(t,"name",{value:e.name}),Object.setPrototypeOf(t,e),t.prototype=e.prototype,
t}function Po(e,t,n){return[].concat(e.slice(0,t),n,e.slice(t+1))}function Rt(e){return!(e>=55296&&e<=57343||e>=64976&&e<=65007||(e&65535)===65535||(e&65535)===
65534||e>=0&&e<=8||e===11||e>=14&&e<=31||e>=127&&e<=159||e>1114111)}function we(e){if(e>65535){e-=65536;let t=55296+(e>>10),n=56320+(e&1023);return String.fromCharCode(
t,n)}return String.fromCharCode(e)}var Gn=/\\([!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~])/g,Oo=new RegExp(`${Gn.source}|${/&([a-z#][a-z0-9]{1,31});/gi.source}`,"gi"),
Io=/^#((?:x[a-f0-9]{1,8}|[0-9]{1,8}))$/i;function Bo(e,t){if(t.charCodeAt(0)===35&&Io.test(t)){let r=t[1].toLowerCase()==="x"?parseInt(t.slice(2),16):parseInt(t.
slice(1),10);return Rt(r)?we(r):e}let n=ye(e);return n!==e?n:e}function No(e){return e.indexOf("\\")<0?e:e.replace(Gn,"$1")}function re(e){return e.indexOf("\\")<
0&&e.indexOf("&")<0?e:e.replace(Oo,function(t,n,r){return n||Bo(t,r)})}var Ho=/[&<>"]/,jo=/[&<>"]/g,qo={"&":"&amp;","<":"&lt;",">":"&gt;",'"':"&quot;"};function Uo(e){
return qo[e]}function K(e){return Ho.test(e)?e.replace(jo,Uo):e}var zo=/[.?*+^$[\]\\(){}|-]/g;function Wo(e){return e.replace(zo,"\\$&")}function F(e){switch(e){case 9:case 32:
return!0}return!1}function Ee(e){if(e>=8192&&e<=8202)return!0;switch(e){case 9:case 10:case 11:case 12:case 13:case 32:case 160:case 5760:case 8239:case 8287:case 12288:
return!0}return!1}function Yn(e){return Ct.test(e)||Dt.test(e)}function xe(e){return Yn(we(e))}function Ce(e){switch(e){case 33:case 34:case 35:case 36:case 37:case 38:case 39:case 40:case 41:case 42:case 43:case 44:case 45:case 46:case 47:case 58:case 59:case 60:case 61:case 62:case 63:case 64:case 91:case 92:case 93:case 94:case 95:case 96:case 123:case 124:case 125:case 126:
return!0;default:return!1}}function Ye(e){return e=e.trim().replace(/\s+/g," "),e.toLowerCase().toUpperCase()}function Pn(e){return e===32||e===9||e===10||e===13}
function Ze(e){let t=0;for(;t<e.length&&Pn(e.charCodeAt(t));t++);let n=e.length-1;for(;n>=t&&Pn(e.charCodeAt(n));n--);return e.slice(t,n+1)}var Vo={mdurl:xt,ucmicro:At};
function Ko(e,t,n){let r,i,o,s,l=e.posMax,u=e.pos;for(e.pos=t+1,r=1;e.pos<l;){if(o=e.src.charCodeAt(e.pos),o===93&&(r--,r===0)){i=!0;break}if(s=e.pos,e.md.inline.
skipToken(e),o===91){if(s===e.pos-1)r++;else if(n)return e.pos=u,-1}}let c=-1;return i&&(c=e.pos),e.pos=u,c}function Go(e,t,n){let r,i=t,o={ok:!1,pos:0,str:""};
if(e.charCodeAt(i)===60){for(i++;i<n;){if(r=e.charCodeAt(i),r===10||r===60)return o;if(r===62)return o.pos=i+1,o.str=re(e.slice(t+1,i)),o.ok=!0,o;if(r===92&&i+1<
n){i+=2;continue}i++}return o}let s=0;for(;i<n&&(r=e.charCodeAt(i),!(r===32||r<32||r===127));){if(r===92&&i+1<n){if(e.charCodeAt(i+1)===32){i++;continue}i+=2;continue}
if(r===40&&(s++,s>32))return o;if(r===41){if(s===0)break;s--}i++}return t===i||s!==0||(o.str=re(e.slice(t,i)),o.pos=i,o.ok=!0),o}function Yo(e,t,n,r){let i,o=t,
s={ok:!1,can_continue:!1,pos:0,str:"",marker:0};if(r)s.str=r.str,s.marker=r.marker;else{if(o>=n)return s;let l=e.charCodeAt(o);if(l!==34&&l!==39&&l!==40)return s;
t++,o++,l===40&&(l=41),s.marker=l}for(;o<n;){if(i=e.charCodeAt(o),i===s.marker)return s.pos=o+1,s.str+=re(e.slice(t,o)),s.ok=!0,s;if(i===40&&s.marker===41)return s;
i===92&&o+1<n&&o++,o++}return s.can_continue=!0,s.str+=re(e.slice(t,o)),s}var Zo=Vn({parseLinkDestination:()=>Go,parseLinkLabel:()=>Ko,parseLinkTitle:()=>Yo});function De(e){
"@babel/helpers - typeof";return De=typeof Symbol=="function"&&typeof Symbol.iterator=="symbol"?function(t){return typeof t}:function(t){return t&&typeof Symbol==
"function"&&t.constructor===Symbol&&t!==Symbol.prototype?"symbol":typeof t},De(e)}function Jo(e,t){if(De(e)!="object"||!e)return e;var n=e[Symbol.toPrimitive];if(n!==
void 0){var r=n.call(e,t||"default");if(De(r)!="object")return r;throw new TypeError("@@toPrimitive must return a primitive value.")}return(t==="string"?String:
Number)(e)}function Qo(e){var t=Jo(e,"string");return De(t)=="symbol"?t:t+""}function b(e,t,n){return(t=Qo(t))in e?Object.defineProperty(e,t,{value:n,enumerable:!0,
configurable:!0,writable:!0}):e[t]=n,e}var Q=class{constructor(e,t,n){b(this,"map",null),b(this,"level",0),b(this,"children",null),b(this,"content",""),b(this,"\
markup",""),b(this,"info",""),b(this,"block",!1),b(this,"hidden",!1),this.type=e,this.tag=t,this.attrs=null,this.nesting=n,this.meta=null}attrIndex(e){if(!this.
attrs)return-1;let t=this.attrs;for(let n=0,r=t.length;n<r;n++)if(t[n][0]===e)return n;return-1}attrPush(e){this.attrs?this.attrs.push(e):this.attrs=[e]}attrSet(e,t){
let n=this.attrIndex(e),r=[e,t];n<0?this.attrPush(r):this.attrs[n]=r}attrGet(e){let t=this.attrIndex(e),n=null;return t>=0&&(n=this.attrs[t][1]),n}attrJoin(e,t){
let n=this.attrIndex(e);n<0?this.attrPush([e,t]):this.attrs[n][1]=`${this.attrs[n][1]} ${t}`}},Ae=class{constructor(){b(this,"__rules__",[]),b(this,"__cache__",
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
this.__cache__=null,n}getRules(e){return this.__cache__||this.__compile__(),this.__cache__[e]||[]}},H={};H.code_inline=function(e,t,n,r,i){let o=e[t];return`<co\
de${i.renderAttrs(o)}>${K(o.content)}</code>`};H.code_block=function(e,t,n,r,i){let o=e[t];return`<pre${i.renderAttrs(o)}><code>${K(e[t].content)}</code></pre>
`};H.fence=function(e,t,n,r,i){let o=e[t],s=o.info?re(o.info).trim():"",l="",u="";if(s){let d=s.split(/(\s+)/g);l=d[0],u=d.slice(2).join("")}let c;if(n.highlight?
c=n.highlight(o.content,l,u)||K(o.content):c=K(o.content),c.indexOf("<pre")===0)return c+`
`;if(s){let d=o.attrIndex("class"),f=o.attrs?o.attrs.slice():[];d<0?f.push(["class",`${n.langPrefix}${l}`]):(f[d]=[f[d][0],f[d][1]],f[d][1]+=` ${n.langPrefix}${l}`);
let g={attrs:f};return`<pre><code${i.renderAttrs(g)}>${c}</code></pre>
`}return`<pre><code${i.renderAttrs(o)}>${c}</code></pre>
`};H.image=function(e,t,n,r,i){let o=e[t];return o.attrs[o.attrIndex("alt")][1]=i.renderInlineAsText(o.children,n,r),i.renderToken(e,t,n)};H.hardbreak=function(e,t,n){
return n.xhtmlOut?`<br />
`:`<br>
`};H.softbreak=function(e,t,n){return n.breaks?n.xhtmlOut?`<br />
`:`<br>
`:`
`};H.text=function(e,t){return K(e[t].content)};H.html_block=function(e,t){return e[t].content};H.html_inline=function(e,t){return e[t].content};var Zn=class{constructor(){
b(this,"rules",Object.assign({},H))}renderAttrs(e){let t,n,r;if(!e.attrs)return"";for(r="",t=0,n=e.attrs.length;t<n;t++)r+=` ${K(e.attrs[t][0])}="${K(String(e.attrs[t][1]))}\
"`;return r}renderToken(e,t,n){let r=e[t],i="";if(r.hidden)return"";let o=t-1;for(;o>=0&&e[o].hidden&&e[o].nesting===0;)o--;r.block&&r.nesting!==-1&&o>=0&&e[o].
hidden&&e[o].nesting===-1&&(i+=`
`),i+=(r.nesting===-1?"</":"<")+r.tag,i+=this.renderAttrs(r),r.nesting===0&&n.xhtmlOut&&(i+=" /");let s=!1;if(r.block&&(s=!0,r.nesting===1)){let l=t+1;for(;l<e.
length&&e[l].hidden&&e[l].nesting===0;)l++;if(l<e.length){let u=e[l];(u.type==="inline"||u.hidden||u.nesting===-1&&u.tag===r.tag)&&(s=!1)}}return i+=s?`>
`:">",i}renderInline(e,t,n){let r="",i=this.rules;for(let o=0,s=e.length;o<s;o++){let l=e[o].type;typeof i[l]<"u"?r+=i[l](e,o,t,n,this):r+=this.renderToken(e,o,
t)}return r}renderInlineAsText(e,t,n){let r="";for(let i=0,o=e.length;i<o;i++)switch(e[i].type){case"text":case"code_inline":r+=e[i].content;break;case"image":r+=
this.renderInlineAsText(e[i].children,t,n);break;case"html_inline":case"html_block":r+=e[i].content;break;case"softbreak":case"hardbreak":r+=`
`}return r}render(e,t,n){let r="",i=this.rules;for(let o=0,s=e.length;o<s;o++){let l=e[o].type;l==="inline"?r+=this.renderInline(e[o].children,t,n):typeof i[l]<
"u"?r+=i[l](e,o,t,n,this):r+=this.renderToken(e,o,t)}return r}},Jn=class{constructor(e,t,n){b(this,"tokens",[]),b(this,"inlineMode",!1),b(this,"Token",Q),this.src=
e,this.env=n,this.md=t}},Xo=/\r\n?/g,es=/\0/g;function ts(e){let t;t=e.src.replace(Xo,`
`),t=t.replace(es,"\uFFFD"),e.src=t}function ns(e){let t;e.inlineMode?(t=new e.Token("inline","",0),t.content=e.src,t.map=[0,1],t.children=[],e.tokens.push(t)):
e.md.block.parse(e.src,e.md,e.env,e.tokens)}function rs(e){let t=e.tokens,n=0;for(let r=0;r<t.length;r++)t[r].type!=="reference_definition"&&(r!==n&&(t[n]=t[r]),
n++);t.length!==n&&(t.length=n)}function is(e){let t=e.tokens;for(let n=0,r=t.length;n<r;n++){let i=t[n];i.type==="inline"&&e.md.inline.parse(i.content,e.md,e.env,
i.children)}}function os(e){return/^<a[>\s]/i.test(e)}function ss(e){return/^<\/a\s*>/i.test(e)}function ls(e){let t=e.tokens;if(e.md.options.linkify)for(let n=0,
r=t.length;n<r;n++){if(t[n].type!=="inline"||!e.md.linkify.test(t[n].content))continue;let i=t[n].children,o=[],s=0;for(let l=i.length-1;l>=0;l--){let u=i[l];if(u.
type==="link_close"){for(l--;i[l].level!==u.level&&i[l].type!=="link_open";)l--;continue}if(u.type==="html_inline"&&(os(u.content)&&s>0&&s--,ss(u.content)&&s++),
!(s>0)&&u.type==="text"&&e.md.linkify.test(u.content)){let c=u.content,d=e.md.linkify.match(c),f=[],g=u.level,m=0;d.length>0&&d[0].index===0&&l>0&&i[l-1].type===
"text_special"&&(d=d.slice(1));for(let h=0;h<d.length;h++){let x=d[h].url,C=e.md.normalizeLink(x);if(!e.md.validateLink(C))continue;let y=d[h].text;d[h].schema?
d[h].schema==="mailto:"&&!/^mailto:/i.test(y)?y=e.md.normalizeLinkText(`mailto:${y}`).replace(/^mailto:/,""):y=e.md.normalizeLinkText(y):y=e.md.normalizeLinkText(
`http://${y}`).replace(/^http:\/\//,"");let D=d[h].index;if(D>m){let k=new e.Token("text","",0);k.content=c.slice(m,D),k.level=g,f.push(k)}let E=new e.Token("li\
nk_open","a",1);E.attrs=[["href",C]],E.level=g++,E.markup="linkify",E.info="auto",f.push(E);let v=new e.Token("text","",0);v.content=y,v.level=g,f.push(v);let w=new e.
Token("link_close","a",-1);w.level=--g,w.markup="linkify",w.info="auto",f.push(w),m=d[h].lastIndex}if(m<c.length){let h=new e.Token("text","",0);h.content=c.slice(
m),h.level=g,f.push(h)}o.push({index:l,nodes:f})}}if(o.length>0){let l=i.length;for(let f of o)l+=f.nodes.length-1;let u=new Array(l),c=0,d=0;o.reverse();for(let f=0;f<
i.length;f++){let g=o[c];if(g?.index===f){for(let m of g.nodes)u[d++]=m;c++}else u[d++]=i[f]}t[n].children=u}}}var Qn=/\+-|\.\.|\?\?\?\?|!!!!|,,|--/,us=/\((c|tm|r)\)/i,
as=/\((c|tm|r)\)/gi,cs={c:"\xA9",r:"\xAE",tm:"\u2122"};function ds(e,t){return cs[t.toLowerCase()]}function hs(e){let t=0;for(let n=e.length-1;n>=0;n--){let r=e[n];
r.type==="text"&&!t&&(r.content=r.content.replace(as,ds)),r.type==="link_open"&&r.info==="auto"&&t--,r.type==="link_close"&&r.info==="auto"&&t++}}function fs(e){
let t=0;for(let n=e.length-1;n>=0;n--){let r=e[n];r.type==="text"&&!t&&Qn.test(r.content)&&(r.content=r.content.replace(/\+-/g,"\xB1").replace(/\.{2,}/g,"\u2026").
replace(/([?!])…/g,"$1..").replace(/([?!]){4,}/g,"$1$1$1").replace(/,{2,}/g,",").replace(/(^|[^-])---(?=[^-]|$)/gm,"$1\u2014").replace(/(^|\s)--(?=\s|$)/gm,"$\
1\u2013").replace(/(^|[^-\s])--(?=[^-\s]|$)/gm,"$1\u2013")),r.type==="link_open"&&r.info==="auto"&&t--,r.type==="link_close"&&r.info==="auto"&&t++}}function ps(e){
let t;if(e.md.options.typographer)for(t=e.tokens.length-1;t>=0;t--)e.tokens[t].type==="inline"&&(us.test(e.tokens[t].content)&&hs(e.tokens[t].children),Qn.test(
e.tokens[t].content)&&fs(e.tokens[t].children))}var ms=/['"]/,On=/['"]/g,In="\u2019",gs=1e3;function Bn(e,t,n){for(;e.length>n;){let r=e.pop();r.isSingleQuote?t.
single=r.prevSameQuoteIdx:t.double=r.prevSameQuoteIdx}}function Ve(e,t,n,r){e[t]||(e[t]=[]),e[t].push({pos:n,ch:r})}function bs(e,t){let n="",r=0;t.sort((i,o)=>i.
pos-o.pos);for(let i=0;i<t.length;i++){let o=t[i];n+=e.slice(r,o.pos)+o.ch,r=o.pos+1}return n+e.slice(r)}function ks(e,t){let n,r=[],i={single:-1,double:-1},o={};
for(let s=0;s<e.length;s++){let l=e[s],u=e[s].level;for(n=r.length-1;n>=0&&!(r[n].level<=u);n--);if(Bn(r,i,n+1),l.type!=="text")continue;let c=l.content,d=0,f=c.
length;e:for(;d<f;){On.lastIndex=d;let g=On.exec(c);if(!g)break;let m=!0,h=!0;d=g.index+1;let x=g[0]==="'",C=32;if(g.index-1>=0)C=c.charCodeAt(g.index-1);else for(n=
s-1;n>=0&&!(e[n].type==="softbreak"||e[n].type==="hardbreak");n--)if(e[n].content){C=e[n].content.charCodeAt(e[n].content.length-1);break}let y=32;if(d<f)y=c.charCodeAt(
d);else for(n=s+1;n<e.length&&!(e[n].type==="softbreak"||e[n].type==="hardbreak");n++)if(e[n].content){y=e[n].content.charCodeAt(0);break}let D=Ce(C)||xe(C),E=Ce(
y)||xe(y),v=Ee(C),w=Ee(y);if(w?m=!1:E&&(v||D||(m=!1)),v?h=!1:D&&(w||E||(h=!1)),y===34&&g[0]==='"'&&C>=48&&C<=57&&(h=m=!1),m&&h&&(m=D,h=E),!m&&!h){x&&Ve(o,s,g.index,
In);continue}if(h&&(n=x?i.single:i.double,n>=0&&r[n].level===u)){let k=r[n],A,P;x?(A=t.md.options.quotes[2],P=t.md.options.quotes[3]):(A=t.md.options.quotes[0],
P=t.md.options.quotes[1]),Ve(o,s,g.index,P),Ve(o,k.tokenIdx,k.contentPos,A),Bn(r,i,n);continue e}if(m){if(r.length>=gs)return;r.push({tokenIdx:s,contentPos:g.index,
isSingleQuote:x,level:u,prevSameQuoteIdx:x?i.single:i.double}),x?i.single=r.length-1:i.double=r.length-1}else h&&x&&Ve(o,s,g.index,In)}}Object.keys(o).forEach(function(s){
let l=Number(s);e[l].content=bs(e[l].content,o[s])})}function ys(e){if(e.md.options.typographer)for(let t=e.tokens.length-1;t>=0;t--)e.tokens[t].type!=="inline"||
!ms.test(e.tokens[t].content)||ks(e.tokens[t].children,e)}function vs(e){let t,n,r=e.length;for(t=0;t<r;t++)e[t].type==="text_special"&&(e[t].type="text");for(t=
n=0;t<r;t++)e[t].type==="text"&&t+1<r&&e[t+1].type==="text"?e[t+1].content=e[t].content+e[t+1].content:(t!==n&&(e[n]=e[t]),n++);t!==n&&(e.length=n)}function ws(e){
let t,n,r=e.tokens,i=r.length;for(let o=0;o<i;o++){if(r[o].type!=="inline")continue;let s=r[o].children,l=s.length;for(t=0;t<l;t++)s[t].type==="text_special"&&(s[t].
type="text"),s[t].children&&vs(s[t].children);for(t=n=0;t<l;t++)s[t].type==="text"&&t+1<l&&s[t+1].type==="text"?s[t+1].content=s[t].content+s[t+1].content:(t!==
n&&(s[n]=s[t]),n++);t!==n&&(s.length=n)}}var Ft=[["normalize",ts],["block",ns],["strip_references",rs],["inline",is],["linkify",ls],["replacements",ps],["smartq\
uotes",ys],["text_join",ws]],Xn=class{constructor(){b(this,"ruler",new Ae),b(this,"State",Jn);for(let e=0;e<Ft.length;e++)this.ruler.push(Ft[e][0],Ft[e][1])}process(e){
let t=this.ruler.getRules("");for(let n=0,r=t.length;n<r;n++)t[n](e)}},er=class{constructor(e,t,n,r){b(this,"bMarks",[]),b(this,"eMarks",[]),b(this,"tShift",[]),
b(this,"sCount",[]),b(this,"bsCount",[]),b(this,"blkIndent",0),b(this,"line",0),b(this,"lineMax",0),b(this,"tight",!1),b(this,"listIndent",-1),b(this,"parentTyp\
e","root"),b(this,"level",0),b(this,"Token",Q),this.src=e,this.md=t,this.env=n,this.tokens=r;let i=this.src;for(let o=0,s=0,l=0,u=0,c=i.length,d=!1;s<c;s++){let f=i.
charCodeAt(s);if(!d)if(F(f)){l++,f===9?u+=4-u%4:u++;continue}else d=!0;(f===10||s===c-1)&&(f!==10&&s++,this.bMarks.push(o),this.eMarks.push(s),this.tShift.push(
l),this.sCount.push(u),this.bsCount.push(0),d=!1,l=0,u=0,o=s+1)}this.bMarks.push(i.length),this.eMarks.push(i.length),this.tShift.push(0),this.sCount.push(0),this.
bsCount.push(0),this.lineMax=this.bMarks.length-1}push(e,t,n){let r=new Q(e,t,n);return r.block=!0,n<0&&this.level--,r.level=this.level,n>0&&this.level++,this.tokens.
push(r),r}isEmpty(e){return this.bMarks[e]+this.tShift[e]>=this.eMarks[e]}skipEmptyLines(e){for(let t=this.lineMax;e<t&&!(this.bMarks[e]+this.tShift[e]<this.eMarks[e]);e++)
;return e}skipSpaces(e){for(let t=this.src.length;e<t&&F(this.src.charCodeAt(e));e++);return e}skipSpacesBack(e,t){if(e<=t)return e;for(;e>t;)if(!F(this.src.charCodeAt(
--e)))return e+1;return e}skipChars(e,t){for(let n=this.src.length;e<n&&this.src.charCodeAt(e)===t;e++);return e}skipCharsBack(e,t,n){if(e<=n)return e;for(;e>n;)
if(t!==this.src.charCodeAt(--e))return e+1;return e}getLines(e,t,n,r){if(e>=t)return"";let i=new Array(t-e);for(let o=0,s=e;s<t;s++,o++){let l=0,u=this.bMarks[s],
c=u,d;for(s+1<t||r?d=this.eMarks[s]+1:d=this.eMarks[s];c<d&&l<n;){let f=this.src.charCodeAt(c);if(F(f))f===9?l+=4-(l+this.bsCount[s])%4:l++;else if(c-u<this.tShift[s])
l++;else break;c++}l>n?i[o]=new Array(l-n+1).join(" ")+this.src.slice(c,d):i[o]=this.src.slice(c,d)}return i.join("")}},Es=65536;function Tt(e,t){let n=e.bMarks[t]+
e.tShift[t],r=e.eMarks[t];return e.src.slice(n,r)}function Nn(e){let t=[],n=e.length,r=0,i=e.charCodeAt(r),o=!1,s=0,l="";for(;r<n;)i===124&&(o?(l+=e.substring(s,
r-1),s=r):(t.push(l+e.substring(s,r)),l="",s=r+1)),o=i===92,r++,i=e.charCodeAt(r);return t.push(l+e.substring(s)),t}function xs(e,t,n,r){if(t+2>n)return!1;let i=t+
1;if(e.sCount[i]<e.blkIndent||e.sCount[i]-e.blkIndent>=4)return!1;let o=e.bMarks[i]+e.tShift[i];if(o>=e.eMarks[i])return!1;let s=e.src.charCodeAt(o++);if(s!==124&&
s!==45&&s!==58||o>=e.eMarks[i])return!1;let l=e.src.charCodeAt(o++);if(l!==124&&l!==45&&l!==58&&!F(l)||s===45&&F(l))return!1;for(;o<e.eMarks[i];){let v=e.src.charCodeAt(
o);if(v!==124&&v!==45&&v!==58&&!F(v))return!1;o++}let u=Tt(e,t+1),c=u.split("|"),d=[];for(let v=0;v<c.length;v++){let w=c[v].trim();if(!w){if(v===0||v===c.length-
1)continue;return!1}if(!/^:?-+:?$/.test(w))return!1;w.charCodeAt(w.length-1)===58?d.push(w.charCodeAt(0)===58?"center":"right"):w.charCodeAt(0)===58?d.push("lef\
t"):d.push("")}if(u=Tt(e,t).trim(),u.indexOf("|")===-1||e.sCount[t]-e.blkIndent>=4)return!1;c=Nn(u),c.length&&c[0]===""&&c.shift(),c.length&&c[c.length-1]===""&&
c.pop();let f=c.length;if(f===0||f!==d.length)return!1;if(r)return!0;let g=e.parentType;e.parentType="table";let m=e.md.block.ruler.getRules("blockquote"),h=e.push(
"table_open","table",1),x=[t,0];h.map=x;let C=e.push("thead_open","thead",1);C.map=[t,t+1];let y=e.push("tr_open","tr",1);y.map=[t,t+1];for(let v=0;v<c.length;v++){
let w=e.push("th_open","th",1);d[v]&&(w.attrs=[["style",`text-align:${d[v]}`]]);let k=e.push("inline","",0);k.content=c[v].trim(),k.children=[],e.push("th_close",
"th",-1)}e.push("tr_close","tr",-1),e.push("thead_close","thead",-1);let D,E=0;for(i=t+2;i<n&&!(e.sCount[i]<e.blkIndent);i++){let v=!1;for(let k=0,A=m.length;k<
A;k++)if(m[k](e,i,n,!0)){v=!0;break}if(v||(u=Tt(e,i).trim(),!u)||e.sCount[i]-e.blkIndent>=4||(c=Nn(u),c.length&&c[0]===""&&c.shift(),c.length&&c[c.length-1]===""&&
c.pop(),E+=f-c.length,E>Es))break;if(i===t+2){let k=e.push("tbody_open","tbody",1);k.map=D=[t+2,0]}let w=e.push("tr_open","tr",1);w.map=[i,i+1];for(let k=0;k<f;k++){
let A=e.push("td_open","td",1);d[k]&&(A.attrs=[["style",`text-align:${d[k]}`]]);let P=e.push("inline","",0);P.content=c[k]?c[k].trim():"",P.children=[],e.push("\
td_close","td",-1)}e.push("tr_close","tr",-1)}return D&&(e.push("tbody_close","tbody",-1),D[1]=i),e.push("table_close","table",-1),x[1]=i,e.parentType=g,e.line=
i,!0}function Cs(e,t,n){if(e.sCount[t]-e.blkIndent<4)return!1;let r=t+1,i=r;for(;r<n;){if(e.isEmpty(r)){r++;continue}if(e.sCount[r]-e.blkIndent>=4){r++,i=r;continue}
break}e.line=i;let o=e.push("code_block","code",0);return o.content=e.getLines(t,i,4+e.blkIndent,!1)+`
`,o.map=[t,e.line],!0}function Ds(e,t,n,r){let i=e.bMarks[t]+e.tShift[t],o=e.eMarks[t];if(e.sCount[t]-e.blkIndent>=4||i+3>o)return!1;let s=e.src.charCodeAt(i);if(s!==
126&&s!==96)return!1;let l=i;i=e.skipChars(i,s);let u=i-l;if(u<3)return!1;let c=e.src.slice(l,i),d=e.src.slice(i,o);if(s===96&&d.indexOf(String.fromCharCode(s))>=
0)return!1;if(r)return!0;let f=t,g=!1;for(;f++,!(f>=n||(i=l=e.bMarks[f]+e.tShift[f],o=e.eMarks[f],i<o&&e.sCount[f]<e.blkIndent));)if(e.src.charCodeAt(i)===s&&!(e.
sCount[f]-e.blkIndent>=4)&&(i=e.skipChars(i,s),!(i-l<u)&&(i=e.skipSpaces(i),!(i<o)))){g=!0;break}u=e.sCount[t],e.line=f+(g?1:0);let m=e.push("fence","code",0);return m.
info=d,m.content=e.getLines(t+1,f,u,!0),m.markup=c,m.map=[t,e.line],!0}function As(e,t,n,r){let i=e.bMarks[t]+e.tShift[t],o=e.eMarks[t],s=e.lineMax;if(e.sCount[t]-
e.blkIndent>=4||e.src.charCodeAt(i)!==62)return!1;if(r)return!0;let l=[],u=[],c=[],d=[],f=e.md.block.ruler.getRules("blockquote"),g=e.parentType;e.parentType="b\
lockquote";let m=!1,h;for(h=t;h<n;h++){let E=e.sCount[h]<e.blkIndent;if(i=e.bMarks[h]+e.tShift[h],o=e.eMarks[h],i>=o)break;if(e.src.charCodeAt(i++)===62&&!E){let w=e.
sCount[h]+1,k,A;e.src.charCodeAt(i)===32?(i++,w++,A=!1,k=!0):e.src.charCodeAt(i)===9?(k=!0,(e.bsCount[h]+w)%4===3?(i++,w++,A=!1):A=!0):k=!1;let P=w;for(l.push(e.
bMarks[h]),e.bMarks[h]=i;i<o;){let ae=e.src.charCodeAt(i);if(F(ae))ae===9?P+=4-(P+e.bsCount[h]+(A?1:0))%4:P++;else break;i++}m=i>=o,u.push(e.bsCount[h]),e.bsCount[h]=
e.sCount[h]+1+(k?1:0),c.push(e.sCount[h]),e.sCount[h]=P-w,d.push(e.tShift[h]),e.tShift[h]=i-e.bMarks[h];continue}if(m)break;let v=!1;for(let w=0,k=f.length;w<k;w++)
if(f[w](e,h,n,!0)){v=!0;break}if(v){e.lineMax=h,e.blkIndent!==0&&(l.push(e.bMarks[h]),u.push(e.bsCount[h]),d.push(e.tShift[h]),c.push(e.sCount[h]),e.sCount[h]-=
e.blkIndent);break}l.push(e.bMarks[h]),u.push(e.bsCount[h]),d.push(e.tShift[h]),c.push(e.sCount[h]),e.sCount[h]=-1}let x=e.blkIndent;e.blkIndent=0;let C=e.push(
"blockquote_open","blockquote",1);C.markup=">";let y=[t,0];C.map=y,e.md.block.tokenize(e,t,h);let D=e.push("blockquote_close","blockquote",-1);D.markup=">",e.lineMax=
s,e.parentType=g,y[1]=e.line;for(let E=0;E<d.length;E++)e.bMarks[E+t]=l[E],e.tShift[E+t]=d[E],e.sCount[E+t]=c[E],e.bsCount[E+t]=u[E];return e.blkIndent=x,!0}function Ss(e,t,n,r){
let i=e.eMarks[t];if(e.sCount[t]-e.blkIndent>=4)return!1;let o=e.bMarks[t]+e.tShift[t],s=e.src.charCodeAt(o++);if(s!==42&&s!==45&&s!==95)return!1;let l=1;for(;o<
i;){let c=e.src.charCodeAt(o++);if(c!==s&&!F(c))return!1;c===s&&l++}if(l<3)return!1;if(r)return!0;e.line=t+1;let u=e.push("hr","hr",0);return u.map=[t,e.line],u.
markup=Array(l+1).join(String.fromCharCode(s)),!0}function Hn(e,t){let n=e.eMarks[t],r=e.bMarks[t]+e.tShift[t],i=e.src.charCodeAt(r++);return i!==42&&i!==45&&i!==
43||r<n&&!F(e.src.charCodeAt(r))?-1:r}function jn(e,t){let n=e.bMarks[t]+e.tShift[t],r=e.eMarks[t],i=n;if(i+1>=r)return-1;let o=e.src.charCodeAt(i++);if(o<48||o>
57)return-1;for(;;){if(i>=r)return-1;if(o=e.src.charCodeAt(i++),o>=48&&o<=57){if(i-n>=10)return-1;continue}if(o===41||o===46)break;return-1}return i<r&&(o=e.src.
charCodeAt(i),!F(o))?-1:i}function Fs(e,t){let n=e.level+2;for(let r=t+2,i=e.tokens.length-2;r<i;r++)e.tokens[r].level===n&&e.tokens[r].type==="paragraph_open"&&
(e.tokens[r+2].hidden=!0,e.tokens[r].hidden=!0,r+=2)}function Ts(e,t,n,r){let i,o,s,l,u=t,c=!0;if(e.sCount[u]-e.blkIndent>=4||e.listIndent>=0&&e.sCount[u]-e.listIndent>=
4&&e.sCount[u]<e.blkIndent)return!1;let d=!1;r&&e.parentType==="paragraph"&&e.sCount[u]>=e.blkIndent&&(d=!0);let f,g,m;if((m=jn(e,u))>=0){if(f=!0,s=e.bMarks[u]+
e.tShift[u],g=Number(e.src.slice(s,m-1)),d&&g!==1)return!1}else if((m=Hn(e,u))>=0)f=!1;else return!1;if(d&&e.skipSpaces(m)>=e.eMarks[u])return!1;if(r)return!0;let h=e.
src.charCodeAt(m-1),x=e.tokens.length;f?(l=e.push("ordered_list_open","ol",1),g!==1&&(l.attrs=[["start",g]])):l=e.push("bullet_list_open","ul",1);let C=[u,0];l.
map=C,l.markup=String.fromCharCode(h);let y=!1,D=e.md.block.ruler.getRules("list"),E=e.parentType;for(e.parentType="list";u<n;){o=m,i=e.eMarks[u];let v=e.sCount[u]+
m-(e.bMarks[u]+e.tShift[u]),w=v;for(;o<i;){let X=e.src.charCodeAt(o);if(X===9)w+=4-(w+e.bsCount[u])%4;else if(X===32)w++;else break;o++}let k=o,A;k>=i?A=1:A=w-v,
A>4&&(A=1);let P=v+A;l=e.push("list_item_open","li",1),l.markup=String.fromCharCode(h);let ae=[u,0];l.map=ae,f&&(l.info=e.src.slice(s,m-1));let mi=e.tight,gi=e.
tShift[u],bi=e.sCount[u],ki=e.listIndent;if(e.listIndent=e.blkIndent,e.blkIndent=P,e.tight=!0,e.tShift[u]=k-e.bMarks[u],e.sCount[u]=w,k>=i&&e.isEmpty(u+1)?e.line=
Math.min(e.line+2,n):e.md.block.tokenize(e,u,n),(!e.tight||y)&&(c=!1),y=e.line-u>1&&e.isEmpty(e.line-1),e.blkIndent=e.listIndent,e.listIndent=ki,e.tShift[u]=gi,
e.sCount[u]=bi,e.tight=mi,l=e.push("list_item_close","li",-1),l.markup=String.fromCharCode(h),u=e.line,ae[1]=u,u>=n||e.sCount[u]<e.blkIndent||e.sCount[u]-e.blkIndent>=
4)break;let on=!1;for(let X=0,yi=D.length;X<yi;X++)if(D[X](e,u,n,!0)){on=!0;break}if(on)break;if(f){if(m=jn(e,u),m<0)break;s=e.bMarks[u]+e.tShift[u]}else if(m=Hn(
e,u),m<0)break;if(h!==e.src.charCodeAt(m-1))break}return f?l=e.push("ordered_list_close","ol",-1):l=e.push("bullet_list_close","ul",-1),l.markup=String.fromCharCode(
h),C[1]=u,e.line=u,e.parentType=E,c&&Fs(e,x),!0}var _t=999;function _s(e){let t=e.length;for(let n=0;n<e.length-1;n++){let r=e.charCodeAt(n);if(r<55296||r>56319)
continue;let i=e.charCodeAt(n+1);i>=56320&&i<=57343&&(t--,n++)}return t}function ve(e,t){return Math.min(e.eMarks[t]+1,e.src.length)}function Ke(e,t){let n=e.lineMax;
if(t>=n||e.isEmpty(t))return-1;let r=!1;if(e.sCount[t]-e.blkIndent>3&&(r=!0),e.sCount[t]<0&&(r=!0),!r){let i=e.md.block.ruler.getRules("reference"),o=e.parentType;
e.parentType="reference";let s=!1;for(let l=0,u=i.length;l<u;l++)if(i[l](e,t,n,!0)){s=!0;break}if(e.parentType=o,s)return-1}return e.bMarks[t]+e.tShift[t]}function Ms(e,t,n,r){
let i=e.src,o=e.bMarks[t]+e.tShift[t],s=t+1;if(e.sCount[t]-e.blkIndent>=4||i.charCodeAt(o)!==91)return!1;let l=ve(e,t),u="",c=-1,d=++o;for(;o<l;){if(u.length+o-
d>_t*2)return!1;let k=i.charCodeAt(o);if(k===91)return!1;if(k===93){c=o;break}if(k===92&&(k=i.charCodeAt(++o)),k===10&&o<l){let A=Ke(e,s);if(A<0)return!1;u+=i.slice(
d,l),o=d=A,l=ve(e,s++);continue}o++}if(c<0||i.charCodeAt(c+1)!==58||(u+=i.slice(d,c),u.length>_t&&_s(u)>_t))return!1;for(o=c+2;o<l;){let k=i.charCodeAt(o);if(k===
10){let A=Ke(e,s);if(A<0)break;o=A,l=ve(e,s++)}else if(F(k))o++;else break}let f=e.md.helpers.parseLinkDestination(i,o,l);if(!f.ok)return!1;let g=e.md.normalizeLink(
f.str);if(!e.md.validateLink(g))return!1;o=f.pos;let m=o,h=l,x=s;for(;o<l;){let k=i.charCodeAt(o);if(k===10){let A=Ke(e,s);if(A<0)break;o=A,l=ve(e,s++)}else if(F(
k))o++;else break}let C=o,y=e.md.helpers.parseLinkTitle(i,o,l);for(;y.can_continue;){let k=Ke(e,s);if(k<0)break;o=k,l=ve(e,s++),y=e.md.helpers.parseLinkTitle(i,
o,l,y)}let D;for(C!==m&&y.ok?(D=y.str,o=y.pos):(D="",o=m,l=h,s=x);o<l&&F(i.charCodeAt(o));)o++;if(o<l&&i.charCodeAt(o)!==10&&D)for(D="",o=m,l=h,s=x;o<l&&F(i.charCodeAt(
o));)o++;if(o<l&&i.charCodeAt(o)!==10)return!1;let E=Ye(u);if(!E)return!1;if(r)return!0;typeof e.env.references>"u"&&(e.env.references={}),typeof e.env.references[E]>
"u"&&(e.env.references[E]={title:D,href:g});let v=e.push("reference_definition","",0);v.map=[t,s],v.hidden=!0;let w=Object.create(null);return w.label=E,v.meta=
w,e.line=s,!0}var Ls=["address","article","aside","base","basefont","blockquote","body","caption","center","col","colgroup","dd","details","dialog","dir","div",
"dl","dt","fieldset","figcaption","figure","footer","form","frame","frameset","h1","h2","h3","h4","h5","h6","head","header","hr","html","iframe","legend","li","\
link","main","menu","menuitem","nav","noframes","ol","optgroup","option","p","param","search","section","summary","table","tbody","td","tfoot","th","thead","tit\
le","tr","track","ul"],tr=`<[A-Za-z][A-Za-z0-9\\-]*(?:\\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\\s*=\\s*(?:[^"'=<>\`\\x00-\\x20]+|'[^']*'|"[^"]*"))?)*\\s*\\/?>`,nr="<\\/\
[A-Za-z][A-Za-z0-9\\-]*\\s*>";new RegExp(`^(?:${tr}|${nr}|<!---?>|<!--(?:[^-]|-[^-]|--[^>])*-->|<[?][\\s\\S]*?[?]>|<![A-Za-z][^>]*>|<!\\[CDATA\\[[\\s\\S]*?\\]\\]>)`);
var rr=new RegExp(`^(?:${tr}|${nr})`),J=[[/^<(script|pre|style|textarea)(?=(\s|>|$))/i,/<\/(script|pre|style|textarea)>/i,!0],[/^<!--/,/-->/,!0],[/^<\?/,/\?>/,!0],
[/^<![A-Za-z]/,/>/,!0],[/^<!\[CDATA\[/,/\]\]>/,!0],[new RegExp(`^</?(${Ls.join("|")})(?=(\\s|/?>|$))`,"i"),/^$/,!0],[new RegExp(`${rr.source}\\s*$`),/^$/,!1]];function Rs(e,t,n,r){
let i=e.bMarks[t]+e.tShift[t],o=e.eMarks[t];if(e.sCount[t]-e.blkIndent>=4||!e.md.options.html||e.src.charCodeAt(i)!==60)return!1;let s=e.src.slice(i,o),l=0;for(;l<
J.length&&!J[l][0].test(s);l++);if(l===J.length)return!1;if(r)return J[l][2];let u=t+1,c=J[l][1].test("");if(!J[l][1].test(s)){for(;u<n&&!(e.sCount[u]<e.blkIndent&&
(c||!e.isEmpty(u)));u++)if(i=e.bMarks[u]+e.tShift[u],o=e.eMarks[u],s=e.src.slice(i,o),J[l][1].test(s)){s.length!==0&&u++;break}}e.line=u;let d=e.push("html_bloc\
k","",0);return d.map=[t,u],d.content=e.getLines(t,u,e.blkIndent,!0),!0}function $s(e,t,n,r){let i=e.bMarks[t]+e.tShift[t],o=e.eMarks[t];if(e.sCount[t]-e.blkIndent>=
4)return!1;let s=e.src.charCodeAt(i);if(s!==35||i>=o)return!1;let l=1;for(s=e.src.charCodeAt(++i);s===35&&i<o&&l<=6;)l++,s=e.src.charCodeAt(++i);if(l>6||i<o&&!F(
s))return!1;if(r)return!0;o=e.skipSpacesBack(o,i);let u=e.skipCharsBack(o,35,i);u>i&&F(e.src.charCodeAt(u-1))&&(o=u),e.line=t+1;let c=e.push("heading_open",`h${l}`,
1);c.markup="########".slice(0,l),c.map=[t,e.line];let d=e.push("inline","",0);d.content=Ze(e.src.slice(i,o)),d.map=[t,e.line],d.children=[];let f=e.push("headi\
ng_close",`h${l}`,-1);return f.markup="########".slice(0,l),!0}function Ps(e,t,n){let r=e.md.block.ruler.getRules("paragraph");if(e.sCount[t]-e.blkIndent>=4)return!1;
let i=e.parentType;e.parentType="paragraph";let o=0,s,l=t+1;for(;l<n&&!e.isEmpty(l);l++){if(e.sCount[l]-e.blkIndent>3)continue;if(e.sCount[l]>=e.blkIndent){let m=e.
bMarks[l]+e.tShift[l],h=e.eMarks[l];if(m<h&&(s=e.src.charCodeAt(m),(s===45||s===61)&&(m=e.skipChars(m,s),m=e.skipSpaces(m),m>=h))){o=s===61?1:2;break}}if(e.sCount[l]<
0)continue;let g=!1;for(let m=0,h=r.length;m<h;m++)if(r[m](e,l,n,!0)){g=!0;break}if(g)break}if(!o)return e.parentType=i,!1;let u=Ze(e.getLines(t,l,e.blkIndent,!1));
e.line=l+1;let c=e.push("heading_open",`h${o}`,1);c.markup=String.fromCharCode(s),c.map=[t,e.line];let d=e.push("inline","",0);d.content=u,d.map=[t,e.line-1],d.
children=[];let f=e.push("heading_close",`h${o}`,-1);return f.markup=String.fromCharCode(s),e.parentType=i,!0}function Os(e,t,n){let r=e.md.block.ruler.getRules(
"paragraph"),i=e.parentType,o=t+1;for(e.parentType="paragraph";o<n&&!e.isEmpty(o);o++){if(e.sCount[o]-e.blkIndent>3||e.sCount[o]<0)continue;let c=!1;for(let d=0,
f=r.length;d<f;d++)if(r[d](e,o,n,!0)){c=!0;break}if(c)break}let s=Ze(e.getLines(t,o,e.blkIndent,!1));e.line=o;let l=e.push("paragraph_open","p",1);l.map=[t,e.line];
let u=e.push("inline","",0);return u.content=s,u.map=[t,e.line],u.children=[],e.push("paragraph_close","p",-1),e.parentType=i,!0}var Ge=[["table",xs,["paragraph",
"reference"]],["code",Cs],["fence",Ds,["paragraph","reference","blockquote","list"]],["blockquote",As,["paragraph","reference","blockquote","list"]],["hr",Ss,["\
paragraph","reference","blockquote","list"]],["list",Ts,["paragraph","reference","blockquote"]],["reference",Ms],["html_block",Rs,["paragraph","reference","bloc\
kquote"]],["heading",$s,["paragraph","reference","blockquote"]],["lheading",Ps],["paragraph",Os]],ir=class{constructor(){b(this,"ruler",new Ae),b(this,"State",er);
for(let e=0;e<Ge.length;e++)this.ruler.push(Ge[e][0],Ge[e][1],{alt:(Ge[e][2]||[]).slice()})}tokenize(e,t,n){let r=this.ruler.getRules(""),i=r.length,o=e.md.options.
maxNesting,s=t,l=!1;for(;s<n&&(e.line=s=e.skipEmptyLines(s),!(s>=n||e.sCount[s]<e.blkIndent));){if(e.level>=o){e.line=n;break}let u=e.line,c=!1;for(let d=0;d<i;d++)
if(c=r[d](e,s,n,!1),c){if(u>=e.line)throw new Error("block rule didn't increment state.line");break}if(!c)throw new Error("none of the block rules matched");e.tight=
!l,e.isEmpty(e.line-1)&&(l=!0),s=e.line,s<n&&e.isEmpty(s)&&(l=!0,s++,e.line=s)}}parse(e,t,n,r){if(!e)return;let i=new this.State(e,t,n,r);this.tokenize(i,i.line,
i.lineMax)}},or=class{constructor(e,t,n,r){b(this,"pos",0),b(this,"level",0),b(this,"pending",""),b(this,"pendingLevel",0),b(this,"cache",{}),b(this,"backticks",
{}),b(this,"backticksScanned",!1),b(this,"skipHtmlSpecial",!1),b(this,"linkLevel",0),b(this,"delimiters",[]),b(this,"_prev_delimiters",[]),b(this,"Token",Q),this.
src=e,this.env=n,this.md=t,this.tokens=r,this.tokens_meta=Array(r.length),this.posMax=this.src.length}pushPending(){let e=new Q("text","",0);return e.content=this.
pending,e.level=this.pendingLevel,this.tokens.push(e),this.pending="",e}push(e,t,n){this.pending&&this.pushPending();let r=new Q(e,t,n),i;return n<0&&(this.level--,
this.delimiters=this._prev_delimiters.pop()),r.level=this.level,n>0&&(this.level++,this._prev_delimiters.push(this.delimiters),this.delimiters=[],i={delimiters:this.
delimiters}),this.pendingLevel=this.level,this.tokens.push(r),this.tokens_meta.push(i),r}scanDelims(e,t){let n=this.posMax,r=this.src.charCodeAt(e),i;if(e===0)i=
32;else if(e===1)i=this.src.charCodeAt(0),(i&63488)===55296&&(i=65533);else if(i=this.src.charCodeAt(e-1),(i&64512)===56320){let h=this.src.charCodeAt(e-2);i=(h&
64512)===55296?65536+(h-55296<<10)+(i-56320):65533}else(i&64512)===55296&&(i=65533);let o=e;for(;o<n&&this.src.charCodeAt(o)===r;)o++;let s=o-e,l=o<n?this.src.charCodeAt(
o):32;if((l&64512)===55296){let h=this.src.charCodeAt(o+1);l=(h&64512)===56320?65536+(l-55296<<10)+(h-56320):65533}else(l&64512)===56320&&(l=65533);let u=Ce(i)||
xe(i),c=Ce(l)||xe(l),d=Ee(i),f=Ee(l),g=!f&&(!c||d||u),m=!d&&(!u||f||c);return{can_open:g&&(t||!m||u),can_close:m&&(t||!g||c),length:s}}};function Is(e){switch(e){case 10:case 33:case 35:case 36:case 37:case 38:case 42:case 43:case 45:case 58:case 60:case 61:case 62:case 64:case 91:case 92:case 93:case 94:case 95:case 96:case 123:case 125:case 126:
return!0;default:return!1}}function Bs(e,t){let n=e.pos;for(;n<e.posMax&&!Is(e.src.charCodeAt(n));)n++;return n===e.pos?!1:(t||(e.pending+=e.src.slice(e.pos,n)),
e.pos=n,!0)}function Ns(e){return e>=65&&e<=90||e>=97&&e<=122}function Hs(e){return e>=65&&e<=90||e>=97&&e<=122||e>=48&&e<=57||e===43||e===45||e===46}function js(e,t){
if(!e.md.options.linkify||e.linkLevel>0)return!1;let n=e.pos,r=e.posMax;if(n+3>r||e.src.charCodeAt(n)!==58||e.src.charCodeAt(n+1)!==47||e.src.charCodeAt(n+2)!==
47)return!1;let i=n-Math.min(10,e.pending.length,n),o=n;for(;o>i&&Hs(e.src.charCodeAt(o-1));)o--;if(o===n||!Ns(e.src.charCodeAt(o)))return!1;let s=n-o,l=e.md.linkify.
matchAtStart(e.src.slice(o));if(!l)return!1;let u=l.url;if(u.length<=s)return!1;let c=u.length;for(;c>0&&u.charCodeAt(c-1)===42;)c--;c!==u.length&&(u=u.slice(0,
c));let d=e.md.normalizeLink(u);if(!e.md.validateLink(d))return!1;if(!t){e.pending=e.pending.slice(0,-s);let f=e.push("link_open","a",1);f.attrs=[["href",d]],f.
markup="linkify",f.info="auto";let g=e.push("text","",0);g.content=e.md.normalizeLinkText(u);let m=e.push("link_close","a",-1);m.markup="linkify",m.info="auto"}
return e.pos+=u.length-s,!0}function qs(e,t){let n=e.pos;if(e.src.charCodeAt(n)!==10)return!1;let r=e.pending.length-1,i=e.posMax;if(!t)if(r>=0&&e.pending.charCodeAt(
r)===32)if(r>=1&&e.pending.charCodeAt(r-1)===32){let o=r-1;for(;o>=1&&e.pending.charCodeAt(o-1)===32;)o--;e.pending=e.pending.slice(0,o),e.push("hardbreak","br",
0)}else e.pending=e.pending.slice(0,-1),e.push("softbreak","br",0);else e.push("softbreak","br",0);for(n++;n<i&&F(e.src.charCodeAt(n));)n++;return e.pos=n,!0}var $t=[];
for(let e=0;e<256;e++)$t.push(0);"\\!\"#$%&'()*+,./:;<=>?@[]^_`{|}~-".split("").forEach(function(e){$t[e.charCodeAt(0)]=1});function Us(e,t){let n=e.pos,r=e.posMax;
if(e.src.charCodeAt(n)!==92||(n++,n>=r))return!1;let i=e.src.charCodeAt(n);if(i===10){for(t||e.push("hardbreak","br",0),n++;n<r&&(i=e.src.charCodeAt(n),!!F(i));)
n++;return e.pos=n,!0}if(i===32){if(!t){let l=e.push("text_special","",0);l.content="\\",l.markup="\\",l.info="escape"}return e.pos=n,!0}let o=e.src[n];if(i>=55296&&
i<=56319&&n+1<r){let l=e.src.charCodeAt(n+1);l>=56320&&l<=57343&&(o+=e.src[n+1],n++)}let s="\\"+o;if(!t){let l=e.push("text_special","",0);i<256&&$t[i]!==0?l.content=
o:l.content=s,l.markup=s,l.info="escape"}return e.pos=n+1,!0}function zs(e){let t={},n=0;for(;(n=e.indexOf("`",n))!==-1;){let r=n;for(;e.charCodeAt(++n)===96;);
t[n-r]=r}return t}function Ws(e,t){var n;let r=e.pos;if(e.src.charCodeAt(r)!==96)return!1;let i=e.posMax,o=r+1;for(;o<i&&e.src.charCodeAt(o)===96;)o++;let s=e.src.
slice(r,o),l=s.length;if(e.backticksScanned||(e.backticks=zs(e.src),e.backticksScanned=!0),((n=e.backticks[l])!==null&&n!==void 0?n:-1)>=o){let u=o,c;for(;(c=e.
src.indexOf("`",u))!==-1&&c<i;){for(u=c+1;e.src.charCodeAt(u)===96;)u++;if(u>i)break;if(u-c===l){if(!t){let d=e.push("code_inline","code",0);d.markup=s;let f=e.
src.slice(o,c).replace(/\n/g," ");f.startsWith(" ")&&f.endsWith(" ")&&/[^ ]/.test(f)&&(f=f.slice(1,-1)),d.content=f}return e.pos=u,!0}}}return t||(e.pending+=s),
e.pos=o,!0}function Vs(e,t){let n=e.pos,r=e.src.charCodeAt(n);if(t||r!==126)return!1;let i=e.scanDelims(e.pos,!0),o=i.length,s=String.fromCharCode(r);if(o<2)return!1;
let l;o%2&&(l=e.push("text","",0),l.content=s,o--);for(let u=0;u<o;u+=2)l=e.push("text","",0),l.content=s+s,e.delimiters.push({marker:r,length:0,token:e.tokens.
length-1,end:-1,open:i.can_open,close:i.can_close});return e.pos+=i.length,!0}function qn(e,t){let n,r=[],i=t.length;for(let o=0;o<i;o++){let s=t[o];if(s.marker!==
126||s.end===-1)continue;let l=t[s.end];n=e.tokens[s.token],n.type="s_open",n.tag="s",n.nesting=1,n.markup="~~",n.content="",n=e.tokens[l.token],n.type="s_close",
n.tag="s",n.nesting=-1,n.markup="~~",n.content="",e.tokens[l.token-1].type==="text"&&e.tokens[l.token-1].content==="~"&&r.push(l.token-1)}for(;r.length;){let o=r.
pop(),s=o+1;for(;s<e.tokens.length&&e.tokens[s].type==="s_close";)s++;s--,o!==s&&(n=e.tokens[s],e.tokens[s]=e.tokens[o],e.tokens[o]=n)}}function Ks(e){let t=e.tokens_meta,
n=e.tokens_meta.length;qn(e,e.delimiters);for(let i=0;i<n;i++){var r;let o=(r=t[i])===null||r===void 0?void 0:r.delimiters;o&&qn(e,o)}}var sr={tokenize:Vs,postProcess:Ks};
function Gs(e,t){let n=e.pos,r=e.src.charCodeAt(n);if(t||r!==95&&r!==42)return!1;let i=e.scanDelims(e.pos,r===42);for(let o=0;o<i.length;o++){let s=e.push("text",
"",0);s.content=String.fromCharCode(r),e.delimiters.push({marker:r,length:i.length,token:e.tokens.length-1,end:-1,open:i.can_open,close:i.can_close})}return e.pos+=
i.length,!0}function Un(e,t){let n=t.length;for(let r=n-1;r>=0;r--){let i=t[r];if(i.marker!==95&&i.marker!==42||i.end===-1)continue;let o=t[i.end],s=r>0&&t[r-1].
end===i.end+1&&t[r-1].marker===i.marker&&t[r-1].token===i.token-1&&t[i.end+1].token===o.token+1,l=String.fromCharCode(i.marker),u=e.tokens[i.token];u.type=s?"st\
rong_open":"em_open",u.tag=s?"strong":"em",u.nesting=1,u.markup=s?l+l:l,u.content="";let c=e.tokens[o.token];c.type=s?"strong_close":"em_close",c.tag=s?"strong":
"em",c.nesting=-1,c.markup=s?l+l:l,c.content="",s&&(e.tokens[t[r-1].token].content="",e.tokens[t[i.end+1].token].content="",r--)}}function Ys(e){let t=e.tokens_meta,
n=e.tokens_meta.length;Un(e,e.delimiters);for(let i=0;i<n;i++){var r;let o=(r=t[i])===null||r===void 0?void 0:r.delimiters;o&&Un(e,o)}}var lr={tokenize:Gs,postProcess:Ys};
function Zs(e,t){let n,r,i,o,s="",l="",u=e.pos,c=!0;if(e.src.charCodeAt(e.pos)!==91)return!1;let d=e.pos,f=e.posMax,g=e.pos+1,m=e.md.helpers.parseLinkLabel(e,e.
pos,!0);if(m<0)return!1;let h=m+1;if(h<f&&e.src.charCodeAt(h)===40){for(c=!1,h++;h<f&&(n=e.src.charCodeAt(h),!(!F(n)&&n!==10));h++);if(h>=f)return!1;if(u=h,i=e.
md.helpers.parseLinkDestination(e.src,h,e.posMax),i.ok){for(s=e.md.normalizeLink(i.str),e.md.validateLink(s)?h=i.pos:s="",u=h;h<f&&(n=e.src.charCodeAt(h),!(!F(n)&&
n!==10));h++);if(i=e.md.helpers.parseLinkTitle(e.src,h,e.posMax),h<f&&u!==h&&i.ok)for(l=i.str,h=i.pos;h<f&&(n=e.src.charCodeAt(h),!(!F(n)&&n!==10));h++);}(h>=f||
e.src.charCodeAt(h)!==41)&&(c=!0),h++}if(c){if(typeof e.env.references>"u")return!1;if(h<f&&e.src.charCodeAt(h)===91?(u=h+1,h=e.md.helpers.parseLinkLabel(e,h),h>=
0?r=e.src.slice(u,h++):h=m+1):h=m+1,r||(r=e.src.slice(g,m)),r=Ye(r),o=e.env.references[r],!o)return e.pos=d,!1;s=o.href,l=o.title}if(!t){e.pos=g,e.posMax=m;let x=e.
push("link_open","a",1),C=[["href",s]];if(x.attrs=C,l&&C.push(["title",l]),r){let y=Object.create(null);y.label=r,x.meta=y}e.linkLevel++,e.md.inline.tokenize(e),
e.linkLevel--,e.push("link_close","a",-1)}return e.pos=h,e.posMax=f,!0}function Js(e,t){let n,r,i,o,s,l,u,c,d="",f=e.pos,g=e.posMax;if(e.src.charCodeAt(e.pos)!==
33||e.src.charCodeAt(e.pos+1)!==91)return!1;let m=e.pos+2,h=e.md.helpers.parseLinkLabel(e,e.pos+1,!1);if(h<0)return!1;if(o=h+1,o<g&&e.src.charCodeAt(o)===40){for(o++;o<
g&&(n=e.src.charCodeAt(o),!(!F(n)&&n!==10));o++);if(o>=g)return!1;for(c=o,l=e.md.helpers.parseLinkDestination(e.src,o,e.posMax),l.ok&&(d=e.md.normalizeLink(l.str),
e.md.validateLink(d)?o=l.pos:d=""),c=o;o<g&&(n=e.src.charCodeAt(o),!(!F(n)&&n!==10));o++);if(l=e.md.helpers.parseLinkTitle(e.src,o,e.posMax),o<g&&c!==o&&l.ok)for(u=
l.str,o=l.pos;o<g&&(n=e.src.charCodeAt(o),!(!F(n)&&n!==10));o++);else u="";if(o>=g||e.src.charCodeAt(o)!==41)return e.pos=f,!1;o++}else{if(typeof e.env.references>
"u")return!1;if(o<g&&e.src.charCodeAt(o)===91?(c=o+1,o=e.md.helpers.parseLinkLabel(e,o),o>=0?i=e.src.slice(c,o++):o=h+1):o=h+1,i||(i=e.src.slice(m,h)),i=Ye(i),s=
e.env.references[i],!s)return e.pos=f,!1;d=s.href,u=s.title}if(!t){r=e.src.slice(m,h);let x=[];e.md.inline.parse(r,e.md,e.env,x);let C=e.push("image","img",0),y=[
["src",d],["alt",""]];if(C.attrs=y,C.children=x,C.content=r,u&&y.push(["title",u]),i){let D=Object.create(null);D.label=i,C.meta=D}}return e.pos=o,e.posMax=g,!0}
var Qs=/^([a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*)$/,Xs=/^([a-zA-Z][a-zA-Z0-9+.-]{1,31}):([^<>\x00-\x20]*)$/;
function el(e,t){let n=e.pos;if(e.src.charCodeAt(n)!==60)return!1;let r=e.pos,i=e.posMax;for(;;){if(++n>=i)return!1;let s=e.src.charCodeAt(n);if(s===60)return!1;
if(s===62)break}let o=e.src.slice(r+1,n);if(Xs.test(o)){let s=e.md.normalizeLink(o);if(!e.md.validateLink(s))return!1;if(!t){let l=e.push("link_open","a",1);l.attrs=
[["href",s]],l.markup="autolink",l.info="auto";let u=e.push("text","",0);u.content=e.md.normalizeLinkText(o);let c=e.push("link_close","a",-1);c.markup="autolin\
k",c.info="auto"}return e.pos+=o.length+2,!0}if(Qs.test(o)){let s=e.md.normalizeLink(`mailto:${o}`);if(!e.md.validateLink(s))return!1;if(!t){let l=e.push("link_\
open","a",1);l.attrs=[["href",s]],l.markup="autolink",l.info="auto";let u=e.push("text","",0);u.content=e.md.normalizeLinkText(o);let c=e.push("link_close","a",
-1);c.markup="autolink",c.info="auto"}return e.pos+=o.length+2,!0}return!1}function tl(e){return/^<a[>\s]/i.test(e)}function nl(e){return/^<\/a\s*>/i.test(e)}function ur(e){
let t=e|32;return t>=97&&t<=122}function rl(e,t){let n=e.src,r,i;if(n.startsWith("<!--",t)){if(n.startsWith(">",t+4))return t+5;if(n.startsWith("->",t+4))return t+
6;r=t+4,i="-->"}else if(n.startsWith("<![CDATA[",t))r=t+9,i="]]>";else if(n.charCodeAt(t+1)===63)r=t+2,i="?>";else if(ur(n.charCodeAt(t+2)))r=t+3,i=">";else return-1;
if(e.skipHtmlSpecial)return-1;let o=n.indexOf(i,r);return o<0?(e.skipHtmlSpecial=!0,-1):o+i.length}function il(e,t){if(!e.md.options.html)return!1;let n=e.posMax,
r=e.pos;if(e.src.charCodeAt(r)!==60||r+2>=n)return!1;let i,o=e.src.charCodeAt(r+1);if(o===33||o===63)i=rl(e,r);else if(o===47||ur(o)){let s=e.src.slice(r).match(
rr);i=s?r+s[0].length:-1}else return!1;if(i<0)return!1;if(!t){let s=e.push("html_inline","",0);s.content=e.src.slice(r,i),tl(s.content)&&e.linkLevel++,nl(s.content)&&
e.linkLevel--}return e.pos=i,!0}var ol=/^&#((?:x[a-f0-9]{1,6}|[0-9]{1,7}));/i,sl=/^&([a-z][a-z0-9]{1,31});/i;function ll(e,t){let n=e.pos,r=e.posMax;if(e.src.charCodeAt(
n)!==38||n+1>=r)return!1;if(e.src.charCodeAt(n+1)===35){let i=e.src.slice(n).match(ol);if(i){if(!t){let o=i[1][0].toLowerCase()==="x"?parseInt(i[1].slice(1),16):
parseInt(i[1],10),s=e.push("text_special","",0);s.content=Rt(o)?we(o):we(65533),s.markup=i[0],s.info="entity"}return e.pos+=i[0].length,!0}}else{let i=e.src.slice(
n).match(sl);if(i){let o=ye(i[0]);if(o!==i[0]){if(!t){let s=e.push("text_special","",0);s.content=o,s.markup=i[0],s.info="entity"}return e.pos+=i[0].length,!0}}}
return!1}function zn(e){let t={},n=e.length;if(!n)return;let r=0,i=-2,o=[];for(let s=0;s<n;s++){let l=e[s];if(o.push(0),(e[r].marker!==l.marker||i!==l.token-1)&&
(r=s),i=l.token,l.length=l.length||0,!l.close)continue;t.hasOwnProperty(l.marker)||(t[l.marker]=[-1,-1,-1,-1,-1,-1]);let u=t[l.marker][(l.open?3:0)+l.length%3],
c=r-o[r]-1,d=c;for(;c>u;c-=o[c]+1){let f=e[c];if(f.marker===l.marker&&f.open&&f.end<0){let g=!1;if((f.close||l.open)&&(f.length+l.length)%3===0&&(f.length%3!==0||
l.length%3!==0)&&(g=!0),!g){let m=c>0&&!e[c-1].open?o[c-1]+1:0;o[s]=s-c+m,o[c]=m,l.open=!1,f.end=s,f.close=!1,d=-1,i=-2;break}}}d!==-1&&(t[l.marker][(l.open?3:0)+
(l.length||0)%3]=d)}}function ul(e){let t=e.tokens_meta,n=e.tokens_meta.length;zn(e.delimiters);for(let i=0;i<n;i++){var r;let o=(r=t[i])===null||r===void 0?void 0:
r.delimiters;o&&zn(o)}}function al(e){let t,n,r=0,i=e.tokens,o=e.tokens.length;for(t=n=0;t<o;t++)i[t].nesting<0&&r--,i[t].level=r,i[t].nesting>0&&r++,i[t].type===
"text"&&t+1<o&&i[t+1].type==="text"?i[t+1].content=i[t].content+i[t+1].content:(t!==n&&(i[n]=i[t]),n++);t!==n&&(i.length=n)}var Mt=[["text",Bs],["linkify",js],[
"newline",qs],["escape",Us],["backticks",Ws],["strikethrough",sr.tokenize],["emphasis",lr.tokenize],["link",Zs],["image",Js],["autolink",el],["html_inline",il],
["entity",ll]],Lt=[["balance_pairs",ul],["strikethrough",sr.postProcess],["emphasis",lr.postProcess],["fragments_join",al]],ar=class{constructor(){b(this,"ruler",
new Ae),b(this,"ruler2",new Ae),b(this,"State",or);for(let e=0;e<Mt.length;e++)this.ruler.push(Mt[e][0],Mt[e][1]);for(let e=0;e<Lt.length;e++)this.ruler2.push(Lt[e][0],
Lt[e][1])}skipToken(e){let t=e.pos,n=this.ruler.getRules(""),r=n.length,i=e.md.options.maxNesting,o=e.cache;if(typeof o[t]<"u"){e.pos=o[t];return}let s=!1;if(e.
level<i){for(let l=0;l<r;l++)if(e.level++,s=n[l](e,!0),e.level--,s){if(t>=e.pos)throw new Error("inline rule didn't increment state.pos");break}}else e.pos=e.posMax;
s||e.pos++,o[t]=e.pos}tokenize(e){let t=this.ruler.getRules(""),n=t.length,r=e.posMax,i=e.md.options.maxNesting;for(;e.pos<r;){let o=e.pos,s=!1;if(e.level<i){for(let l=0;l<
n;l++)if(s=t[l](e,!1),s){if(o>=e.pos)throw new Error("inline rule didn't increment state.pos");break}}if(s){if(e.pos>=r)break;continue}e.pending+=e.src[e.pos++]}
e.pending&&e.pushPending()}parse(e,t,n,r){let i=new this.State(e,t,n,r);this.tokenize(i);let o=this.ruler2.getRules(""),s=o.length;for(let l=0;l<s;l++)o[l](i)}},
cl={default:{options:{html:!1,xhtmlOut:!1,breaks:!1,langPrefix:"language-",linkify:!1,typographer:!1,quotes:"\u201C\u201D\u2018\u2019",highlight:null,maxNesting:100},
components:{core:{},block:{},inline:{}}},zero:{options:{html:!1,xhtmlOut:!1,breaks:!1,langPrefix:"language-",linkify:!1,typographer:!1,quotes:"\u201C\u201D\u2018\u2019",
highlight:null,maxNesting:20},components:{core:{rules:["normalize","block","strip_references","inline","text_join"]},block:{rules:["paragraph"]},inline:{rules:[
"text"],rules2:["balance_pairs","fragments_join"]}}},commonmark:{options:{html:!0,xhtmlOut:!0,breaks:!1,langPrefix:"language-",linkify:!1,typographer:!1,quotes:"\
\u201C\u201D\u2018\u2019",highlight:null,maxNesting:20},components:{core:{rules:["normalize","block","strip_references","inline","text_join"]},block:{rules:["bl\
ockquote","code","fence","heading","hr","html_block","lheading","list","reference","paragraph"]},inline:{rules:["autolink","backticks","emphasis","entity","esca\
pe","html_inline","image","link","newline","text"],rules2:["balance_pairs","emphasis","fragments_join"]}}}},dl=/^(vbscript|javascript|file|data):/,hl=/^data:image\/(gif|png|jpeg|webp);/,
Wn=["http:","https:","mailto:"],j=class{validateLink(e){let t=e.trim().toLowerCase();return dl.test(t)?hl.test(t):!0}normalizeLink(e){let t=ke(e,!0);if(t.hostname&&
(!t.protocol||Wn.indexOf(t.protocol)>=0))try{t.hostname=St.toASCII(t.hostname)}catch{}return t.auth&&(t.auth=V(t.auth)),t.hostname&&(t.hostname=V(t.hostname)),t.
pathname&&(t.pathname=V(t.pathname)),t.search&&(t.search=V(t.search)),t.hash&&(t.hash=V(t.hash)),ne(t)}normalizeLinkText(e){let t=ke(e,!0);if(t.hostname&&(!t.protocol||
Wn.indexOf(t.protocol)>=0))try{t.hostname=St.toUnicode(t.hostname)}catch{}return be(ne(t),be.defaultChars+"%")}constructor(...e){b(this,"inline",new ar),b(this,
"block",new ir),b(this,"core",new Xn),b(this,"renderer",new Zn),b(this,"linkify",new We),b(this,"utils",$o),b(this,"helpers",Object.assign({},Zo));let[t,n]=e;typeof t==
"string"?(this.configure(t),n&&this.set(n)):(this.configure("default"),this.set(t||{}))}set(e){return Object.assign(this.options,e),this}configure(e){let t;if(typeof e==
"string"){let i=e;if(t=cl[i],!t)throw new Error(`Wrong 'markdown-it' preset "${i}", check name`)}else t=e;if(!t)throw new Error("Wrong `markdown-it` preset, can\
't be empty");t.options&&(this.options={...t.options});let n=t.components;if(n){var r;["core","block","inline"].forEach(o=>{var s;let l=(s=n[o])===null||s===void 0?
void 0:s.rules;l&&this[o].ruler.enableOnly(l)});let i=(r=n.inline)===null||r===void 0?void 0:r.rules2;i&&this.inline.ruler2.enableOnly(i)}return this}enable(e,t=!1){
let n=[];Array.isArray(e)||(e=[e]),["core","block","inline"].forEach(i=>{n=n.concat(this[i].ruler.enable(e,!0))}),n=n.concat(this.inline.ruler2.enable(e,!0));let r=e.
filter(i=>n.indexOf(i)<0);if(r.length&&!t)throw new Error(`MarkdownIt. Failed to enable unknown rule(s): ${r}`);return this}disable(e,t=!1){let n=[];Array.isArray(
e)||(e=[e]),["core","block","inline"].forEach(i=>{n=n.concat(this[i].ruler.disable(e,!0))}),n=n.concat(this.inline.ruler2.disable(e,!0));let r=e.filter(i=>n.indexOf(
i)<0);if(r.length&&!t)throw new Error(`MarkdownIt. Failed to disable unknown rule(s): ${r}`);return this}use(e,...t){return e.apply(e,[this,...t]),this}parse(e,t){
if(typeof e!="string")throw new Error("Input data should be a String");let n=new this.core.State(e,this,t);return this.core.process(n),n.tokens}render(e,t={}){return this.
renderer.render(this.parse(e,t),this.options,t)}parseInline(e,t){let n=new this.core.State(e,this,t);return n.inlineMode=!0,this.core.process(n),n.tokens}renderInline(e,t={}){
return this.renderer.render(this.parseInline(e,t),this.options,t)}};b(j,"Token",Q);b(j,"Ruler",Ae);b(j,"Renderer",Zn);b(j,"ParserCore",Xn);b(j,"StateCore",Jn);b(
j,"ParserBlock",ir);b(j,"StateBlock",er);b(j,"ParserInline",ar);b(j,"StateInline",or);var cr=Kn(j);var fl="smolcell-typeset",pl=/\\(?:href|url|html\w*|style|class|cssId|data|bbox|includegraphics|require|unicode|mmlToken|csname|let|[egx]?def|newcommand|renewcommand|providecommand|newenvironment|renewenvironment|Declare\w*|catcode|char)(?![a-z])|\^\^/i,
ml=2e4;function dr(e,t){return fr(e)&&ce(t,()=>{let n=a("div","formula",p(e));t.replaceWith(n),pr(n)||n.replaceWith(t)}),t}function hr(e){let t=a("span","formul\
a-in-text",p(e));return fr(e)&&ce(t,()=>pr(t)),t}function fr(e){return e.length<=ml&&!pl.test(e)}function pr(e){return!e.dispatchEvent(new CustomEvent(fl,{bubbles:!0,
cancelable:!0,composed:!0}))}var gl="blockquote code emphasis escape fence heading hr image link list newline strikethrough table backticks".split(" "),Pt=20,mr=1e5,Je=new cr("zero",{maxNesting:2*
Pt}).enable(gl);Je.normalizeLink=e=>e;Je.validateLink=()=>!0;var gr=/\$\$[^$]{1,10000}\$\$|\$(?=[^\s$])[^$\n`]{0,1000}(?<=[^\s$\\])\$(?!\d)/y;Je.inline.ruler.before(
"escape","formula",(e,t)=>{if(e.env.formulas!==!0)return!1;gr.lastIndex=e.pos;let n=gr.exec(e.src)?.[0];return n===void 0?!1:(t||(e.push("formula","",0).content=
n),e.pos+=n.length,!0)});var bl={paragraph:["p","paragraph"],heading:["h5","heading"],blockquote:["blockquote","quoted"],bullet_list:["ul","list"],ordered_list:[
"ol","list"],list_item:["li",""],table:["table","table"],thead:["thead",""],tbody:["tbody",""],tr:["tr",""],th:["th",""],td:["td",""],strong:["strong",""],em:["\
em",""],s:["s",""],link:["span","address"]},q=class{constructor(t,n=!1){this.el=t;this.formulas=n;t.hidden=!0,this.following=new Y(t)}el;formulas;shown="";done=0;blocks=0;following;set(t){
if(t===this.shown)return;let n=t.replace(/\r\n?/g,`
`);n.startsWith(this.shown.slice(0,this.done))||([this.done,this.blocks]=[0,0]);let{nodes:r,last:i}=kl(n.slice(this.done),this.formulas);yr(this.el,this.blocks,
r),this.blocks+=Math.max(0,r.length-1),this.done+=i,this.shown=n,this.el.hidden=n==="",this.following.grown()}};function kl(e,t){let n=e.length>mr?[]:Je.parse(e,
{formulas:t});if(e.length>mr||n.some(({level:o})=>o>Pt))return{nodes:[yl(e)],last:0};let r=n.findLast(({level:o,nesting:s})=>o===0&&s>=0)?.map?.[0]??0,i=document.
createDocumentFragment();return br(n,i),{nodes:[...i.childNodes],last:e.split(`
`,r).reduce((o,{length:s})=>o+s+1,0)}}function yl(e){return a("p","paragraph as-it-is",p(e))}function br(e,t){let n=[t],r=[];for(let i of e){let o=n.at(-1);/^(em|strong)_/.
test(i.type)&&i.markup.startsWith("_")?o.appendChild(document.createTextNode(i.markup)):i.nesting<0?(i.type==="link_close"&&o.appendChild(kr(r.pop()??"")),i.hidden||
n.pop()):i.type==="inline"?br(i.children??[],o):i.nesting===0?o.appendChild(wl(i)):i.hidden||(i.type==="link_open"&&r.push(String(i.attrGet("href")??"")),n.push(
n.length>Pt?o:o.appendChild(vl(i))))}}function vl(e){let[t,n]=bl[e.type.replace(/_open$/,"")]??["span",""],r=a(t,e.attrGet("style")==="text-align:right"?"numeri\
c":n),i=e.type==="ordered_list_open"?e.attrGet("start"):null;return i!==null&&r.setAttribute("start",String(i)),r}function wl(e){switch(e.type){case"formula":return hr(
e.content);case"code_inline":return a("code","",p(e.content));case"fence":case"code_block":return a("pre","sample",a("code","",p(e.content.replace(/\n$/,""))));case"\
hr":return a("hr","rule");case"softbreak":case"hardbreak":return a("br","");case"image":return a("span","address",`Image: ${p(e.content)}`,kr(String(e.attrGet("\
src")??"")));default:return document.createTextNode(p(e.content))}}function kr(e){return document.createTextNode(e===""?"":` (${p(e)})`)}function yr(e,t,n){let r=t===
0?e.firstChild:e.childNodes[t]??null;for(let i of n){let o=r?.nextSibling??null;r===null?e.appendChild(i):El(r,i)||e.replaceChild(i,r),r=o}for(;r!==null;){let i=r.
nextSibling;e.removeChild(r),r=i}}function El(e,t){return e instanceof Text&&t instanceof Text?(t.data.startsWith(e.data)?t.length>e.length&&e.appendData(t.data.
slice(e.length)):e.data=t.data,!0):e.cloneNode(!1).isEqualNode(t.cloneNode(!1))?(yr(e,0,[...t.childNodes]),!0):!1}var xl=5e3,Cl=64,Dl=4e3,It={colour:null,back:null,bold:!1,dim:!1,italic:!1,underline:!1,inverse:!1},Al=/\x1b\[([0-9;:]*)m/g,Sl=/\x1b(\[[0-9;:]*)?$/,ie=class{constructor(t){
this.el=t;t.hidden=!0,this.following=new Y(t)}el;shown="";done=0;look=It;tail=[];looks=0;following;set(t){if(t===this.shown)return;t.startsWith(this.shown.slice(
0,this.done))||this.clear();for(let l of this.tail)l.parentNode?.removeChild(l);let n=t.lastIndexOf(`
`)+1,i=(n>this.done?t.slice(this.done,n-1).split(`
`):[]).flatMap(l=>[...this.line(l),{text:`
`,classes:""}]);this.append(this.nodes(i)),[this.shown,this.done]=[t,Math.max(n,this.done)];let[o,s]=[this.look,this.looks];this.tail=this.nodes(this.line(t.slice(
this.done).replace(Sl,""))),[this.look,this.looks]=[o,s],this.el.append(...this.tail),this.el.hidden=t==="",this.following.grown()}append(t){let[n,r]=[this.el.lastChild,
t[0]];n instanceof Text&&r instanceof Text&&n.length<Dl&&(n.appendData(r.data),t.shift()),this.el.append(...t)}clear(){this.el.replaceChildren(),[this.done,this.
look,this.tail,this.looks]=[0,It,[],0]}line(t){let n=[];for(let r of t.split("\r")){let i=this.pieces(r);i.length>0&&(n=i)}return n}pieces(t){let n=[],r=0,i=o=>{
o>r&&n.push({text:p(t.slice(r,o)),classes:Fl(this.look)})};for(let o of t.matchAll(Al))i(o.index),r=o.index+o[0].length,this.look=_l(this.look,o[1]??"");return i(
t.length),n}nodes(t){let n=[],r="";for(let{text:i,classes:o}of t){if(o===""||i===`
`||this.looks>=xl){r+=i;continue}r!==""&&n.push(document.createTextNode(r)),r="",this.looks+=1,n.push(a("span",o,i))}return r!==""&&n.push(document.createTextNode(
r)),n}};function Fl({colour:e,back:t,bold:n,dim:r,italic:i,underline:o,inverse:s}){let[l,u]=s?[t,e??"text"]:[e,t];return[u!==null?`on-${u}`:l!==null?`ansi-${l}`:
"",n&&"ansi-bold",r&&u===null&&"ansi-dim",i&&"ansi-italic",o&&"ansi-underline"].filter(Boolean).join(" ")}var Tl={0:It,1:{bold:!0},2:{dim:!0},3:{italic:!0},4:{underline:!0},
7:{inverse:!0},21:{underline:!0},22:{bold:!1,dim:!1},23:{italic:!1},24:{underline:!1},27:{inverse:!1},39:{colour:null},49:{back:null}};function _l(e,t){let n=t.
split(/[;:]/,Cl).map(Number),r=e;for(let i=0;i<n.length;i++){let o=n[i];if(o===38||o===48){let[s,l]=Ll(n.slice(i+1));r={...r,[o===38?"colour":"back"]:s},i+=l}else
r={...r,...Tl[o],...Ml(o)}}return r}function Ml(e){let[t,n]=[Math.floor(e/10),e%10];return n>7?{}:t===3||t===9?{colour:n}:t===4||t===10?{back:n}:{}}function Ll(e){
let[t=0,n=0,r=0,i=0]=e;if(t===2)return[Ot(n,r,i),4];if(t!==5)return[null,e.length];if(n<16)return[n%8,2];if(n>=232)return[Ot(n,n,n),2];let o=s=>Math.floor((n-16)/
s)%6;return[Ot(o(36)*51,o(6)*51,o(1)*51),2]}function Ot(e,t,n){let r=[e,t,n],[i,o]=[Math.min(...r),Math.max(...r)];return o-i<48?o<96?0:7:r.reduce((s,l,u)=>s+(l>
(i+o)/2?1<<u:0),0)}var Rl="default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",$l="html{background:#fff;color:#1f2328;font:13px/1.5 \
system-ui,sans-serif;overflow-wrap:anywhere}table{border-collapse:collapse}td,th{padding:2px 8px;text-align:right}img{max-width:100%}",Er=1e6,Pl=2e4,Ol=100,Il=new Set(
"A ABBR ARTICLE B BLOCKQUOTE BR CAPTION CODE COL COLGROUP DD DEL DETAILS DIV DL DT EM FIGCAPTION FIGURE FOOTER H1 H2 H3 H4 H5 H6 HEADER HR I IMG INS KBD LI MAIN\
 MARK OL P PRE Q S SAMP SECTION SMALL SPAN STRONG STYLE SUB SUMMARY SUP TABLE TBODY TD TFOOT TH THEAD TIME TR U UL VAR".split(" ")),Bl=new Set("SCRIPT TEMPLATE \
NOSCRIPT IFRAME OBJECT EMBED APPLET FRAME FRAMESET PORTAL TITLE TEXTAREA SELECT SVG MATH".split(" ")),Nl=new Set("align alt class colspan dir height id lang ope\
n rowspan scope span start style title valign width".split(" ")),Hl=/^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/;function xr(e,t,n){let r=e!==
void 0?Ul(e):t!==void 0?Wl(t):"";if(r==="")return null;let i=e!==void 0?"HTML":"SVG",o=_(`As ${i}, without scripts and network`),s=()=>{o.open&&o.querySelector(
"iframe")===null&&o.append(jl(r,i))};return o.addEventListener("toggle",s),o.open=n,s(),o}function jl(e,t){let n=a("iframe","frame");return n.setAttribute("sand\
box",""),n.setAttribute("referrerpolicy","no-referrer"),n.setAttribute("allow",""),n.title=`${t} that the code made`,n.style.height=`${ql(e)}em`,n.srcdoc=`<!doc\
type html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${Rl}"><style>${$l}</style><body>${e}`,n}function ql(e){let t=e.replace(/<style[^]*?<\/style>/g,
""),n=t.match(/<pre[^]*?<\/pre>/g)?.join("")??"",r=vr(t,/<(?:tr|p|h\d|li|br|pre|div|dt|dd)\b/g)+vr(n,/\n/g);return Math.min(30,4+1.8*r+(e.includes("<img")?20:0))}
function vr(e,t){return e.match(t)?.length??0}function Ul(e){if(e.length>Er)return"";let t=new DOMParser().parseFromString(e,"text/html"),n=document.implementation.
createHTMLDocument(""),r={nodes:Pl};for(let i of[t.head,t.body])Cr(n.body,i,r,0);return n.body.textContent?.trim()===""&&n.body.querySelector("img, hr")===null?
"":n.body.innerHTML}function Cr(e,t,n,r){if(!(r>Ol))for(let i of t.childNodes){if(n.nodes--<=0)return;if(i.nodeType===Node.TEXT_NODE&&e.append(i.nodeValue??""),
!(i instanceof Element))continue;let o=i.tagName.toUpperCase();if(Bl.has(o))continue;let s=Il.has(o)?zl(e.ownerDocument,i,o):e;s!==null&&(s!==e&&e.append(s),Cr(
s,i,n,r+1))}}function zl(e,t,n){let r=e.createElement(n);for(let{name:o,value:s}of t.attributes)Nl.has(o)&&!(o==="style"&&/position|url\s*\(|\\/i.test(s))&&r.setAttribute(
o,s);if(n!=="IMG")return r;let i=Hl.exec(t.getAttribute("src")??"");return i===null||W(i[1],i[2])!==""?null:(r.setAttribute("src",i[0]),r)}function Wl(e){if(e.length>
Er||/<!ENTITY|<!DOCTYPE[^>]*\[|<(?:\w+:)?(?:fe)?image\b/i.test(e)||Vl(e))return"";let t=new TextEncoder().encode(e),n=Array.from(t,r=>String.fromCharCode(r)).join(
"");return`<img alt="" src="data:image/svg+xml;base64,${btoa(n)}">`}function Vl(e){let t=new DOMParser().parseFromString(e,"image/svg+xml");if(t.querySelector("\
parsererror")!==null)return!0;let n=[...t.querySelectorAll("*")];if(n.some(s=>s.localName==="style"&&(s.textContent??"").includes("url(")))return!0;let r=n.filter(
s=>s.localName==="use"),i=new Set(r.flatMap(s=>[...s.attributes].filter(({localName:l})=>l==="href").map(({value:l})=>l.replace(/^#/,""))));return r.some(s=>wr(
s,({id:l})=>i.has(l)))?!0:n.filter(s=>[...s.attributes].some(({value:l})=>l.includes("url("))).some(s=>wr(s,({localName:l})=>Kl.has(l)))}var Kl=new Set(["patter\
n","marker","mask","clipPath"]);function wr(e,t){for(let n=e;n!==null;n=n.parentElement)if(t(n))return!0;return!1}var Se="application/vnd.smolcell.table+json",Gl=1e6,Yl=200,Dr=100,Zl=1e3;function Nt(e){let t=Ql(e);if(t===null)return null;let[n,r]=t.gap,i=a("tr","",a("td",""),
...Qe(t.columns.map((c,d)=>Sr(c,"col",t.numeric[d])),r,()=>a("th","","\u2026"))),o=t.rows.map((c,d)=>Jl(t,t.index[d]??"",c)),s=()=>a("tr","gap",a("th","","\u2026"),
...Qe(t.columns.map(()=>a("td","","\u2026")),r,()=>a("td","","\u2026"))),l=a("table","table",a("thead","",i),a("tbody","",...Qe(o,n,s))),u=a("div","table-box",l);
return u.tabIndex=0,u.setAttribute("role","group"),u.setAttribute("aria-label","Table"),a("div","table-part",u,a("p","quiet",`${M(t.shape[0],"row")} \xD7 ${M(t.
shape[1],"column")}`))}function Jl(e,t,n){let r=n.map((i,o)=>a("td",e.numeric[o]===!0?"numeric":"",p(i)));return a("tr","",Sr(t,"row",!1),...Qe(r,e.gap[1],()=>a(
"td","","\u2026")))}function Sr(e,t,n=!1){let r=a("th",n?"numeric":"",p(e));return r.scope=t,r}function Qe(e,t,n){return t>0&&t<e.length?[...e.slice(0,t),n(),...e.
slice(t)]:e}function Ql(e){if(e.length>Gl)return null;let t;try{t=JSON.parse(e)}catch{return null}if(typeof t!="object"||t===null)return null;let{columns:n,index:r,
rows:i,numeric:o,shape:s,gap:l}=t;return!Bt(n,Dr)||!Bt(r,Yl)||!Array.isArray(i)||i.length!==r.length||!i.every(u=>Bt(u,Dr)&&u.length===n.length)||!Array.isArray(
o)||o.length!==n.length||!o.every(u=>typeof u=="boolean")||!Ar(s)||!Ar(l)?null:{columns:n,index:r,rows:i,numeric:o,shape:s,gap:l}}function Bt(e,t){return Array.
isArray(e)&&e.length<=t&&e.every(n=>typeof n=="string"&&n.length<=Zl)}function Ar(e){return Array.isArray(e)&&e.length===2&&e.every(t=>Number.isSafeInteger(t)&&
t>=0)}function Tr(e,t){let n=Mr(e),r=n||nu(e)?"":e.result,i=n?e.outputs.filter(o=>Lr(o)||!jt(o,e.result)):e.outputs;return[...ru(e).map(o=>a("p","note",o)),...i.flatMap(
o=>qt(o,e.outputs.indexOf(o))),r!==""&&hu("Result",oe("result",p(r))),e.error!==null&&cu(e.error,t),e.changed.length>0&&Xl(e.changed),e.files.length>0&&tu(e.files)]}
function Xl(e){return e.length<=eu?a("p","changed","Wrote ",...Fr(e)):_(`Wrote ${M(e.length,"name")}`,a("p","changed",...Fr(e)))}var eu=20;function tu(e){let t=a(
"span","quiet"," \xB7 keep with: %agent files keep NAME");return a("p","files",`Files written: ${Re(e)}`,t)}function _r(){return oe("printed","")}function nu(e){
return e.outputs.some(t=>jt(t,e.result))}function jt(e,t){return e.data["text/plain"]===t}function Ht(e,t=de){return t.find(n=>e.data[n]!==void 0&&W(n,e.data[n])===
"")}function Mr(e){return e.is_final_answer&&e.error===null}function Lr(e){return Object.keys(e.data).some(me)}function Rr(e){let t=Mr(e)?e.outputs.find(o=>jt(o,
e.result)&&!Lr(o)):void 0;if(t===void 0)return[];let{[Se]:n,[$r]:r}=t.data;return Ht(t,[...de,...he])!==void 0||r!==void 0||n!==void 0&&Nt(n)!==null?Pr(t):[]}function ru(e){
let t=[];return e.dropped>0&&t.push(`${M(e.dropped,"character")} of output left out.`),e.state_lost&&t.push("The sandbox was restarted: variables of earlier ste\
ps are gone."),t}var $r="text/latex";function qt(e,t=0){let n=yn(e.data,t,()=>Or(e));return n===null?Pr(e):[n]}function Pr(e){let[t,n]=[Ht(e),Ht(e,he)],{[Se]:r,
"text/plain":i,"text/html":o,"text/markdown":s,[$r]:l}=e.data;if(t!==void 0)return[lu(t,e.data[t],i??"")];if(n!==void 0)return[uu(n,e.data[n],i??"")];let u=r===
void 0?null:Nt(r);if(u!==null)return[u];if(l!==void 0&&o===void 0)return[dr(l,oe("result",p(i??l)))];if(s!==void 0&&o===void 0)return[au(s)];let c=Or(e);if(c.some(
f=>f))return c;let d=[...Object.keys(e.data).filter(f=>f!==Ir),...Object.keys(Br(e))];return[a("p","note",`Not shown: ${p(d.join(", "))||"an empty output"}`)]}function Or(e){
let{"text/plain":t,"text/html":n,"image/svg+xml":r}=e.data,i=t!==void 0&&!/^<.*>$/s.test(t.trim()),o=xr(n,r,!i);return[...ou(e),t!==void 0&&(i||o===null)&&oe("r\
esult",p(t)),o]}var Ir="application/vnd.smolcell.refused+json",iu=[...de,...he,"image/svg+xml","text/html",Se];function ou(e){return[...de.map(r=>[r,e.data[r]===
void 0?"":W(r,e.data[r])]),...Object.entries(Br(e)).filter(([r])=>iu.includes(r)||me(r)!==void 0)].filter(([,r])=>r!=="").map(([r,i])=>a("p","note",`${su[r]??(me(
r)===void 0?"An image":"A chart")} is not shown: ${p(String(i))}.`))}var su={"video/mp4":"A video","video/webm":"A video","text/html":"HTML","image/svg+xml":"An\
 SVG image",[Se]:"A table"};function Br(e){try{let t=JSON.parse(e.data[Ir]??"{}");return typeof t=="object"&&t!==null?{...t}:{}}catch{return{}}}function lu(e,t,n){
let r=a("img","image");return r.alt=p(n).slice(0,200)||"An image the code made",r.src=`data:${e};base64,${t.replace(/\s/g,"")}`,r}function uu(e,t,n){let r=a("vi\
deo","image");return[r.controls,r.loop,r.muted,r.preload]=[!0,!0,!0,"metadata"],r.setAttribute("aria-label",p(n).slice(0,200)||"A video the code made"),r.src=`d\
ata:${e};base64,${t.replace(/\s/g,"")}`,r.addEventListener("error",()=>r.replaceWith(a("p","note",`This browser cannot play the video (${e}).`),oe("result",p(n)))),
r}function au(e){let t=a("div","prose");return new q(t).set(e),t}function cu(e,t){let n=e.line>0?t.split(`
`)[e.line-1]:void 0,r=new ie(oe("traceback",""));return r.set(e.traceback),a("div","fault",a("p","fault-title",a("strong","",p(e.type)||"Error"),e.message===""?
null:`: ${p(e.message)}`),a("p","fault-kind",du[e.kind]??""),n!==void 0&&a("div","fault-line",a("span","",`line ${e.line}`),a("code","",p(n).trim())),e.hint!==void 0&&
e.hint!==""&&a("p","fault-hint",p(e.hint)),e.traceback!==""&&r.el)}var du={forbidden:"The guard refused this; it is not allowed in the sandbox.",limit:"A limit \
ended this step.",sandbox:"The sandbox ended.",stopped:"Stopped by a person."};function hu(e,t){return t.setAttribute("aria-label",e),t}function oe(e,t){let n=a(
"pre",e,t);return n.tabIndex=0,n.setAttribute("role","group"),n.setAttribute("aria-label",e==="printed"?"Printed output":"Output"),n}function Fr(e){return e.flatMap(
(t,n)=>[n>0?", ":null,a("code","",p(t))])}var fu=160;function Hr(e){let t=[e.model,e.sandbox,e.approve&&`approve: ${e.approve}`,e.session&&`session: ${e.session}`,e.resumes&&"resumed"],n=e.files.filter(
i=>i.read_only),r=e.files.filter(i=>!i.read_only);return[a("ul","facts-line",...t.filter(i=>i!=="").map(i=>a("li","chip",p(i)))),e.boundary!==null&&mu(e.boundary),
e.boundary?.warning!==void 0&&a("p","note",`Warning: ${p(e.boundary.warning)}.`),e.locks.length>0&&gu(e.locks),e.variables.length>0&&ku(e.variables),r.length>0&&
a("p","quiet",`Files copied in: ${Re(r)}`),n.length>0&&a("p","quiet",`Mounted read-only: ${p(n.map(({name:i})=>i).join(", "))}`),Dn(e.sent),e.tools.length>0&&a(
"p","quiet",`May call, on this side: ${p(e.tools.join(", "))}`),e.lost.length>0&&a("p","note",`Gone with the sandbox of before: ${p(e.lost.join(", "))}`),e.images>
0&&a("p","quiet",`With ${M(e.images,"image")}.`)]}function jr(e){let t=p(e.task),n=a("div","task clamped",t),r=S("Show the whole task","more",()=>i(!n.classList.
toggle("smolcell-clamped"))),i=o=>{r.textContent=o?"Show less of the task":"Show the whole task",r.setAttribute("aria-expanded",String(o))};return i(!1),r.hidden=
t.length<=fu&&t.trimEnd().split(`
`).length<=2,typeof ResizeObserver<"u"&&new ResizeObserver(()=>pu(n,r)).observe(n),[n,r]}function pu(e,t){e.clientHeight===0||!e.classList.contains("smolcell-cl\
amped")||(t.hidden=e.scrollHeight<=e.clientHeight+1)}function mu(e){let t=a("span",e.isolated?"badge safe":"badge open",e.isolated?"isolated":"walls missing"),n=Object.
entries(e.limits).map(([i,o])=>`${i} ${String(o)}`),r=_(a("span","","Code runs in ",p(e.where)," ",t,e.python?` Python: ${p(e.python)}; ${p(e.python_reason??"")}`:
null),e.walls.length>0&&a("ul","walls",...e.walls.map(bu)),N("Limits",n),!e.python?.startsWith("full")&&N("Imports allowed",e.imports),N("Hosts open",e.hosts.length>
0?e.hosts:["none"]));return r.classList.add("smolcell-boundary"),r}function gu(e){return _(`Policy: ${M(e.length,"rule")} you cannot change here`,a("ul","walls",
...e.map(t=>a("li","wall",p(t)))))}function bu({name:e,stands:t,detail:n}){let r=a("span",t?"stands":"missing",t?"stands":"missing");return a("li","wall",r," ",
a("strong","",p(e)),n===""?null:`: ${p(n)}`)}function N(e,t){return t.length>0&&a("p","quiet",`${e}: ${p(t.join(", "))}`)}function ku(e){let t=e.map(({name:r,type:i})=>`${r}\
 (${i})`).join(", "),n=e.map(({name:r,type:i,text:o})=>a("li","",a("code","",p(r)),` ${p(i)}`,a("pre","about",p(o))));return _(`Goes in as a copy: ${p(t)}`,a("u\
l","variables",...n))}var Ut={success:"Done",max_steps_error:"Stopped at the step limit",refused:"Ended without approval",stopped:"Stopped",error:"Failed"};function qr(e){
let t=e.ended;if(t===null)return[];let n=e.steps.filter(o=>o.observation!==null&&o.sha256!==""),r=xu(e),i=O(M(t.steps,"step"),I(t.duration),ee(t.usage),U(t.usage));
return[a("div",`receipt ${t.state}`,a("strong","",Ut[t.state]??t.state),a("span","figures",i)),t.error!==""&&a("p","fault-title",p(t.error)),r!==""&&a("p","quie\
t",`Tools called: ${p(r)}`),yu(t.receipt,r===""),n.length>0&&_(`What ran: ${M(n.length,"step")}`,a("ul","hashes",...n.map(o=>a("li","",`Step ${o.n}${o.call===0?
"":`, call ${o.call}`}, allowed by ${p(o.by)}${o.who===""?"":` (${p(o.who)})`}, SHA-256 `,a("code","",p(o.sha256))))))]}function yu(e,t){let{imports:n=[],packages:r=[],
hosts:i=[],files:o=[],grants:s=[],errors_by_type:l={},tools_called:u={},timings:c={},record:d={}}=e,f=Object.entries(c).map(([m,h])=>`${Eu[m]??m} ${I(h)}`),g=[N(
"Errors",Nr(l)),N("Packages",r),N("Of the standard library",n.filter(m=>!r.includes(m))),N("Hosts",i),N("Files",o),N("Allowed by you",s),t&&N("Tools called",Nr(
u)),N("Time",f),Object.keys(d).length>0&&a("ul","hashes",...Object.entries(d).map(vu))].filter(m=>m!==!1);return g.length>0&&_("Details",...g)}function vu([e,t]){
return a("li","",`${wu[e]??p(e)} `,a("code","",p(t)))}var wu={journal:"Journal",chain:"Journal's chain, SHA-256",code:"Approved code, SHA-256",answer:"Answer, S\
HA-256",outputs:"Outputs, SHA-256"},Eu={model:"model",waiting:"waiting for you",code:"code"};function Nr(e){return Object.entries(e).map(([t,n])=>n===1?t:`${t} ${n}\
\xD7`)}function xu(e){let t=new Map;for(let{name:r,times:i,duration:o,error:s}of e.steps.flatMap(l=>l.tools)){let l=t.get(r)??{times:0,duration:0,failed:!1};t.set(
r,{times:l.times+i,duration:l.duration+o,failed:l.failed||s!==""})}let n=([r,{times:i,duration:o,failed:s}])=>`${r} ${i}\xD7, ${I(o)}${s?", with errors":""}`;return[
...t].map(n).join("; ")}function Xe(e){if(e.answer===null)return[];let{text:t,is_text:n}=e.answer,r=e.steps.at(-1)?.observation??null,i=r===null?[]:Rr(r);return[
a("h4","answer-title","Answer"),...i.length>0?i:[n&&Su(t)?Cu(t):Au(p(t))]]}function Cu(e){let t=a("div","prose answer-prose");new q(t,!0).set(e);for(let n of t.
querySelectorAll(".smolcell-sample")){let r=a("div","copied");n.replaceWith(r),r.append(...[n,Du(n)].filter(i=>i!==null))}return t}function Du(e){let t=S("Copy",
"copy",()=>{navigator.clipboard.writeText(e.textContent??"").then(()=>n("Copied"),()=>n("Not copied"))});t.setAttribute("aria-live","polite");let n=r=>{t.textContent=
r,setTimeout(()=>t.textContent="Copy",2e3)};return typeof navigator.clipboard>"u"?null:t}function Au(e){return Ur(e)?Tu(e):a("div","answer-text",e)}function Su(e){
return!Ur(e)||e.split(`
`).some(t=>Fu.test(t))}var Fu=/^ {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/;function Tu(e){let t=a("pre","answer-table",e);return t.tabIndex=0,t.setAttribute("r\
ole","group"),t.setAttribute("aria-label","Answer"),t}var _u=/^\s*([-*+\u2022]|\d+[.)])\s/,Mu=/(^|[^\s.!?:]) {2,}\S/;function Ur(e){let t=e.split(`
`).filter(n=>zr(n)!=="");return t.length>1&&3*t.filter(Lu).length>=t.length}function Lu(e){let t=zr(e);return t.length>1&&t.startsWith("|")&&t.endsWith("|")||!_u.
test(e)&&Mu.test(e)}function zr(e){let[t,n]=[0,e.length];for(;t<n&&e[t]===" ";)t++;for(;n>t&&e[n-1]===" ";)n--;return e.slice(t,n)}var Ru=new Set("False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal \
not or pass raise return try while with yield match case".split(" ")),$u=new Set("abs all any bool bytes dict enumerate filter float format frozenset getattr ha\
sattr int isinstance iter len list map max min next object open print range repr reversed round set setattr sorted str sum super tuple type zip eval exec compil\
e final_answer".split(" ")),Pu=new RegExp([/(?<comment>#[^\r\n]*)/,/(?<string>[rRbBuUfFtT]{0,2}(?:"""(?:\\[\s\S]|[^\\])*?(?:"""|$)|'''(?:\\[\s\S]|[^\\])*?(?:'''|$)|"(?:\\[\s\S]|[^"\\\r\n])*"?|'(?:\\[\s\S]|[^'\\\r\n])*'?))/,
/(?<number>(?:0[xXoObB][\da-fA-F_]+|\d[\d_]*\.?[\d_]*(?:[eE][+-]?\d+)?[jJ]?))/,/(?<decorator>@[\p{L}_][\p{L}\p{N}_.]*)/u,/(?<word>[\p{L}_][\p{L}\p{N}_]*)/u,/(?<plain>[\s\S])/].
map(e=>e.source).join("|"),"gu"),Ou=1e5;function Iu(e){if(e.length>Ou)return[{kind:"plain",text:e}];let t=[],n="";for(let r of e.matchAll(Pu)){let i=n===".";n=r[0];
for(let o of Bu(r))ju(t,i&&o.kind==="builtin"?{...o,kind:"name"}:o)}return t}function Bu(e){let t=e[0],n=e.groups??{};if(n.string!==void 0)return/^[^"']*[fFtT]/.
test(t)?Hu(t):[{kind:"string",text:t}];if(n.word!==void 0)return[{kind:Nu(t),text:t}];for(let r of["comment","number","decorator"])if(n[r]!==void 0)return[{kind:r,
text:t}];return[{kind:"plain",text:t}]}function Nu(e){return Ru.has(e)?"keyword":$u.has(e)?"builtin":"name"}function Hu(e){return e.split(/(\{\{|\}\}|\{[^{}]*\})/).
filter(t=>t!=="").map(t=>({kind:/^\{[^{]/.test(t)?"expression":"string",text:t}))}function ju(e,t){let n=e.at(-1);n!==void 0&&n.kind===t.kind?n.text+=t.text:e.push(
t)}var qu=/\n|(?<=\r)(?!\n)/;function zt(e){let t=[[]],n="";for(let{kind:r,text:i}of Iu(e))n.endsWith("\r")&&!i.startsWith(`
`)&&t.push([]),n=i,i.split(qu).forEach((o,s)=>{s>0&&t.push([]),o!==""&&t.at(-1)?.push({kind:r,text:o})});return t}var et={none:0,low:1,high:2};function tt(e,t,n=[],r=0){let i=t==="code"?zt(e):e.split(`
`).map(s=>[{kind:"plain",text:s}]),o=a("div","code");return o.dataset.kind=t,o.setAttribute("role","group"),o.setAttribute("aria-label",`${i.length} ${i.length===
1?"line":"lines"} of ${t}`),o.style.setProperty("--smolcell-digits",String(String(i.length).length)),i.forEach((s,l)=>o.append(Uu(s,l+1,Vu(n,l+1),l+1===r))),o}function Uu(e,t,n,r){
let i=(n==="none"?"":` ${n}`)+(r?" error-line":""),o=a("span","number");o.dataset.n=String(t);let s=a("code","source");for(let l of e)s.append(...Gr(l));return a(
"div",`line${i}`,o,s)}function Kr(e){return a("code","source",...(zt(e)[0]??[]).flatMap(Gr))}function Gr(e){return pt(e.text).flatMap(t=>t.hidden?[Yr(t.text)]:e.
kind==="plain"||e.kind==="name"?Wr(t.text):[a("span",e.kind==="number"?"number-literal":e.kind,...zu.has(e.kind)?[t.text]:Wr(t.text))])}var zu=new Set(["string",
"comment"]);function Wr(e){return e.split(/([^\x00-\x7f]+)/).flatMap((t,n)=>t===""?[]:[n%2===0?document.createTextNode(t):Wu(t)])}function Wu(e){let t=a("span",
"foreign-char",e);return t.title=`letters beyond ASCII: ${[...e].map(Me).join(" ")}`,t}function Yr(e){let t=a("span","hidden-char",e);return t.title=e===mt?"a t\
ab":"a character that cannot be seen",t}function Vu(e,t){return e.filter(n=>n.line===t).reduce((n,{risk:r})=>et[r]>et[n]?r:n,"none")}function Wt(e){if(e.length===
0)return null;let t=[...e].sort((o,s)=>et[s.risk]-et[o.risk]||o.line-s.line),n=t.filter(o=>o.risk!=="none"),r=t.filter(o=>o.risk==="none"),i=a("ul","findings",...n.
map(Ku),r.length>0&&a("li","facts",...Yu(r)));return i.setAttribute("aria-label","What was found in the code"),i}function Ku(e){let t=a("span","mark",e.risk==="\
high"?"Warning":"Note");return a("li",`finding ${e.risk}`,t," ",...Zr(e.kind,[e.text]),Zu(e))}var Gu={import:"imports ",name:"changes ",file:"reads or writes a \
file: ",network:"reaches into the network: ",process:"starts a process or runs other code: ",install:"asks to install: ",dunder:"reaches into Python itself: ",tool:"\
calls "};function Zr(e,t){let n=Gu[e];return n===void 0?Jr(t.join(", ")):[n,...t.flatMap((r,i)=>i>0?[", ",Vr(r)]:[Vr(r)])]}function Yu(e){return[...new Set(e.map(
n=>n.kind))].map(n=>{let r=[...new Set(e.filter(i=>i.kind===n).map(i=>i.text))];return a("span","fact",...Zr(n,r))})}function Vr(e){return a("code","",...Jr(e))}
function Jr(e){return pt(e).map(t=>t.hidden?Yr(t.text):t.text)}function Zu(e){return e.line>0?` (line ${e.line})`:""}var Ju=1e6,Qr=2;function se(e,t){let[n,r]=[e.split(`
`),t.split(`
`)],i=0;for(;i<Math.min(n.length,r.length)&&n[i]===r[i];)i++;let o=0;for(;o<Math.min(n.length,r.length)-i&&n[n.length-1-o]===r[r.length-1-o];)o++;let s=u=>u.map(
c=>({sign:" ",text:c})),l=Qu(n.slice(i,n.length-o),r.slice(i,r.length-o));return[...s(n.slice(0,i)),...l,...s(n.slice(n.length-o))]}function Qu(e,t){let n=t.length+
1;if(e.length*t.length>Ju)return[...e.map(s=>({sign:"-",text:s})),...t.map(s=>({sign:"+",text:s}))];let r=new Uint16Array((e.length+1)*n),i=(s,l)=>r[s*n+l];for(let s=e.
length-1;s>=0;s--)for(let l=t.length-1;l>=0;l--)r[s*n+l]=e[s]===t[l]?i(s+1,l+1)+1:Math.max(i(s+1,l),i(s,l+1));let o=[];for(let s=0,l=0;s<e.length||l<t.length;)s<
e.length&&l<t.length&&e[s]===t[l]?(o.push({sign:" ",text:e[s++]}),l++):l>=t.length||s<e.length&&i(s+1,l)>=i(s,l+1)?o.push({sign:"-",text:e[s++]}):o.push({sign:"\
+",text:t[l++]});return o}function le(e,t="What you changed"){let n=e.map((i,o)=>e.slice(Math.max(0,o-Qr),o+Qr+1).some(({sign:s})=>s!==" ")),r=a("div","code dif\
f");return r.setAttribute("role","group"),r.setAttribute("aria-label",t),e.forEach((i,o)=>{n[o]===!0?r.append(ta(i)):n[o-1]!==!1&&r.append(a("div","line left-ou\
t",a("span","sign","\u2026")))}),r}var Xu={" ":"","-":"taken out: ","+":"put in: "},ea={" ":"line","-":"line taken-out","+":"line put-in"};function ta({sign:e,text:t}){
let n=a("span","sign",e==="-"?"\u2212":e);return n.setAttribute("aria-hidden","true"),a("div",ea[e],n,a("span","spoken",Xu[e]),Kr(t))}var na="smolcell-mends-cell",ra=2e5,nt=class{constructor(t){this.request=t;this.said.setAttribute("role","status"),this.el.setAttribute("role","group"),this.el.
setAttribute("aria-label","The failing cell"),this.el.hidden=!0}request;el=a("div","mend");said=a("p","quiet");cell=null;id=null;update({state:t,reply:n}){if(this.
id===null&&t.answer!==null&&t.ended?.state==="success"&&this.begin(),n===null||n.id!==this.id||this.id==="")return;let{code:r,why:i}=n.said;this.id="",typeof r!=
"string"||r===""||r.length>ra?this.end(`The cell stays as it is: ${typeof i=="string"?i:"no code came"}.`):this.offer(r)}begin(){this.id="",queueMicrotask(()=>{
if(!this.el.isConnected)return void(this.id=null);let t={cell:null};this.el.dispatchEvent(new CustomEvent(na,{bubbles:!0,composed:!0,detail:t})),this.cell=t.cell,
this.cell!==null&&(this.id=this.request())})}offer(t){let n=this.cell?.source()??null;if(n===null)return this.end("The failing cell is gone.");if(n===t)return this.
end("The failing cell holds this code already.");this.say("Ran without an error in the sandbox, not yet in the notebook."),this.show(a("h4","answer-title","In p\
lace of the failing cell"),le(se(n,t),"What changes in the failing cell"),a("div","bar",S("Replace the cell","primary",r=>L(r)&&this.replace(t,n))),this.said)}replace(t,n){
let r=this.cell?.source()??null;if(r!==null&&r!==n)return this.offer(t),this.say("The cell was changed meanwhile. This is the difference to what it holds now.");
if(r===null||this.cell?.replace(t)!==!0)return this.end("The failing cell is gone, or cannot be changed.");let i=S("Undo","",o=>L(o)&&this.undo(t,n));this.say("\
The cell was replaced. Run it to use it."),this.show(a("div","bar",i),this.said),i.focus()}undo(t,n){if(this.cell?.source()!==t)return this.say("The cell was ch\
anged since, and is left as it is.");this.cell.replace(n),this.offer(t),this.say("The cell holds what it held before."),this.el.querySelector("button")?.focus()}end(t){
this.say(t),this.show(this.said)}show(...t){this.el.replaceChildren(...t),this.el.hidden=!1}say(t){this.said.textContent=p(t)}};var Xr={models:100,text:300},ia=1e4,oa=0,rt=class{constructor(t){this.request=t;this.el=a("div","model",this.figures,this.opener,this.menu,this.said),this.menu.
id=`smolcell-models-${++oa}`,this.menu.hidden=this.said.hidden=!0,this.said.setAttribute("role","status"),this.opener.setAttribute("aria-expanded","false"),this.
opener.setAttribute("aria-controls",this.menu.id),this.el.addEventListener("keydown",n=>this.keyDown(n))}request;el;figures=a("span","spent");opener=S("Change m\
odel","quiet",t=>L(t)&&this.turn());menu=a("div","models");said=a("p","models-said quiet");shown=new T(this.figures);asked={kind:"",id:""};timer;update({state:t,
link:n,reply:r}){this.el.hidden=t.run==="",this.opener.hidden=n==="dead";let i=la(t);this.shown.draw([i],()=>i===""?[]:[i]),r!==null&&r.id===this.asked.id&&r.id!==
""&&this.take(r.said)}turn(){if(!this.menu.hidden)return this.close();this.opener.setAttribute("aria-expanded","true"),this.menu.hidden=!1,this.menu.replaceChildren(),
this.ask("models","Looking for models\u2026")}close(){this.opener.setAttribute("aria-expanded","false"),this.menu.contains(document.activeElement)&&this.opener.
focus(),this.menu.hidden=!0,this.asked.kind==="models"&&this.wait("")}ask(t,n,r=""){if(this.wait(n),this.asked={kind:t,id:this.request(t,r)},this.asked.id==="")
return this.wait("The run\u2019s kernel is gone. Choose a model with: %agent config model=provider/model");this.timer=setTimeout(()=>this.say("No kernel answere\
d yet: it is busy with another cell, or gone."),ia)}wait(t){clearTimeout(this.timer),this.asked={kind:"",id:""},this.say(t)}say(t){this.said.textContent=p(t),this.
said.hidden=t===""}take(t){let{kind:n}=this.asked,r=G(t.why);if(r!=="")return this.wait(`Not changed: ${r}.`);if(n==="models")return this.list(sa(t.models));this.
close(),this.wait(`From its next run on, the session ${G(t.session)} uses ${G(t.model)}, unless a cell names another with -m.`)}list(t){if(t.length===0)return this.
wait("No model was found: no key is set, and no server on this machine answers. Name one with: %agent config model=provider/model");this.wait("");let n=a("field\
set","models-list",a("legend","","Model of the session, from its next run on"),...t.map(o=>this.row(o))),r=S("Use for the next run","primary",o=>L(o)&&this.choose());
this.menu.replaceChildren(n,a("div","bar",r,S("Cancel","",o=>L(o)&&this.close())));let i=n.querySelector("input:checked")??n.querySelector("input");document.activeElement===
this.opener&&i?.focus()}row({id:t,name:n,why:r,now:i}){let o=_e("radio","");return o.name=this.menu.id,o.value=t,o.checked=i,a("label","models-row",o,a("span","",
p(n)),a("span","quiet",p(r)))}keyDown(t){this.menu.hidden||(t.key==="Escape"?this.close():t.key==="Enter"&&z(t.target)&&L(t)&&this.choose())}choose(){let t=this.
menu.querySelector("input:checked");t===null?this.say("Choose a model first."):this.ask("model","Sent\u2026",t.value)}};function sa(e){return(Array.isArray(e)?e.
slice(0,Xr.models):[]).flatMap(n=>{let{id:r,name:i,why:o,now:s}=n??{};return G(r)===""||G(i)===""?[]:[{id:G(r),name:G(i),why:G(o),now:s===!0}]})}function G(e){return typeof e==
"string"?e.slice(0,Xr.text):""}function la(e){let t=e.steps.findLast(s=>Vt(s.usage)>0)?.usage??null,n=ei(e);if(n.length===0)return"";let r=n.every(s=>s.cost!==null),
i=n.reduce((s,l)=>s+(l.cost??0),0),o=r?U({input_tokens:0,output_tokens:0,cost:i}):"unknown";return O(t===null?"":un(Vt(t),e.window),`Cost so far: ${o}`)}function ei(e){
let t=n=>n.usage!==null&&Vt(n.usage)>0?[n.usage]:[];return e.steps.flatMap(n=>[...t(n),...n.runs.flatMap(ei)])}function Vt(e){return e===null?0:e.input_tokens+e.
output_tokens}var ua=Array.from({length:21},(e,t)=>t/20),ri=.94,aa=250,ca=4,da=16,ha={threshold:ua,trackVisibility:!0,delay:100},it=class{constructor(t,n){this.lines=t;this.changed=
n;this.unseen=new Set(t),this.observer=typeof IntersectionObserver>"u"?null:new IntersectionObserver(r=>this.see(r),ha);for(let r of t)this.observer?.observe(r)}lines;changed;unseen;parts=new Map;pending=new Set;closed=!1;observer;get unread(){
return this.lines.flatMap((t,n)=>this.unseen.has(t)?[n+1]:[])}show(){this.lines.find(t=>this.unseen.has(t))?.scrollIntoView({block:"start"})}close(){this.closed=
!0,this.observer?.disconnect()}join(t,n){let r=pa(this.parts.get(t),n);this.parts.set(t,r),!(r[1]-r[0]<ri)&&(this.unseen.delete(t),this.observer?.unobserve(t))}lookAgain(t){
this.pending.size===0&&setTimeout(()=>this.observePending(),aa),this.pending.add(t)}observePending(){for(let t of this.closed?[]:this.pending)this.unseen.has(t)&&
(this.observer?.unobserve(t),this.observer?.observe(t));this.pending.clear()}see(t){let n=this.unseen.size;for(let r of t){let{target:i,isIntersecting:o,boundingClientRect:s,
intersectionRect:l}=r;!o||s.height===0||(fa(r)||this.join(i,[(l.top-s.top)/s.height,(l.bottom-s.top)/s.height]),this.unseen.has(i)&&this.lookAgain(i))}this.unseen.
size===0&&this.close(),this.unseen.size<n&&this.changed()}};function fa({target:e,isVisible:t,intersectionRatio:n,intersectionRect:r}){if(t===!0)return!1;if(t===
!1&&n>=ri)return!0;let i=e.getRootNode(),o=ti(r.left,r.right,ca);return ti(r.top,r.bottom,Math.ceil(r.height/da)).some(l=>o.some(u=>!e.contains(i.elementFromPoint(
u,l))))}function ti(e,t,n){return Array.from({length:n},(r,i)=>e+(i+.5)*(t-e)/n)}function pa(e,t){return e===void 0?t:t[0]<=e[1]&&e[0]<=t[1]?[Math.min(e[0],t[0]),
Math.max(e[1],t[1])]:t[1]-t[0]>e[1]-e[0]?t:e}var ni=4;function ii(e,t){if(e.length===0)return"";if(e.length===t)return t===1?"The code has not been whole on you\
r screen.":`None of the ${t} lines has been whole on your screen.`;let n=ma(e),r=n.slice(0,ni).map(([s,l])=>s===l?`${s}`:`${s}\u2013${l}`),i=n.length>ni?" and o\
thers":"",o=e.length===1;return`${o?"Line":"Lines"} ${r.join(", ")}${i} of ${t} ${o?"has":"have"} not been on your screen.`}function ma(e){let t=[];for(let n of e){
let r=t.at(-1);r!==void 0&&r[1]===n-1?r[1]=n:t.push([n,n])}return t}var ga=5e3,ba=0,ot=class{constructor(t,n,r,i,o){this.desk=t;this.step=n;this.pending=r;this.turned=o;let s=r.why?a("p","note",p(r.why)):null;this.el=a("div","co\
ntrols",s,this.row,this.unread,this.message),this.unread.id=`smolcell-unread-${++ba}`,this.reading=new it(i,()=>this.tellUnread(i.length)),this.el.setAttribute(
"role","group"),this.el.setAttribute("aria-label",n.kind==="context"?"Decide what the model is sent":`Decide about step ${n.n}`),this.message.setAttribute("role",
"status"),this.tellUnread(i.length),this.begin()}desk;step;pending;turned;el;row=a("div","row");message=a("p","message");unread=a("p","unread");reading;sent="";overdue;editor=null;press(t){
this.sent!==""||this.mode!=="choose"||(t==="edit"?this.edit():t==="refuse"?this.refuse():this.send({choice:t}))}get mode(){return this.el.dataset.mode??""}arm(t){
for(let n of this.row.querySelectorAll("button"))n.disabled=this.sent!=="",t||!n.matches("[data-sends]")?n.removeAttribute("aria-disabled"):n.setAttribute("aria\
-disabled","true")}take(t){t===null||t.id!==this.sent||this.sent===""||(clearTimeout(this.overdue),t.ok||this.again(`Not accepted: ${t.why}.`))}close(){clearTimeout(
this.overdue),this.leaveEditor(),this.reading.close()}tellUnread(t){let n=ii(this.reading.unread,t);this.unread.hidden=n==="",n===""?this.unread.replaceChildren():
this.unread.firstChild===null?this.unread.append(n," ",S("Show it","more",()=>this.reading.show())):this.unread.firstChild.textContent=n,n===""&&this.mode==="ch\
oose"&&this.offerMore()}offerMore(){if(this.reading.unread.length>0)return;let t=this.step.kind==="plan"?"Approve every plan of this run":"Approve the rest of t\
his run";this.offer(t,"approve_run"),this.pending.session===!0&&this.offer(va,"approve_kind")}offer(t,n){let r=R(t,"quiet",()=>this.click({choice:n})),i=this.row.
querySelector("button");r.disabled=i?.disabled??!1,i?.hasAttribute("aria-disabled")&&r.setAttribute("aria-disabled","true"),this.row.append(r)}begin(){this.step.
kind==="question"?this.question():this.step.kind==="budget"?this.budget():this.step.kind==="context"?this.context():this.step.kind==="output"?this.output():this.
step.kind==="host"?this.host():this.choose()}question(){let t=te("comment");t.rows=2,t.setAttribute("aria-label","Your answer. The agent's code reads it."),t.placeholder=
"Your answer (the agent's code reads it)",this.editor=t,this.show("question",t,R("Send answer","primary",()=>this.click({choice:"edit",text:t.value})),R("Do not\
 answer","",()=>this.click({choice:"refuse"})),R("Stop","",()=>this.click({choice:"stop"})))}budget(){this.show("budget",R("Go on","primary",()=>this.click({choice:"\
approve"})),R("Stop","",()=>this.click({choice:"stop"})))}context(){let t=new je(this.pending.pieces??[]),n=i=>{let o=Cn(this.step.code,t.dropped()),s=o===this.
step.code&&i===void 0;this.click(s?{choice:"approve"}:{choice:"edit",text:o,...i===void 0?{}:{offer:i}})},r=this.pending.offers??[];this.show("context",t.el,R("\
This time","primary",()=>n()),...r.map(({id:i,label:o})=>R(p(o),"",()=>n(i))),R("No","",()=>this.click({choice:"refuse"})))}output(){this.editor=null;let t=this.
pending.offers??[];this.show("output",...t.map(({id:n,label:r,choice:i})=>R(p(r),"primary",()=>this.click({choice:i,offer:n}))),R("Let it pass as it is","",()=>this.
click({choice:"approve"})),ue("Refuse",()=>this.refuse()),R("Stop","",()=>this.click({choice:"stop"})))}host(){this.editor=null;let t=this.pending.offers??[];this.
show("host",R("Once","primary",()=>this.click({choice:"approve"})),...t.map(({id:n,label:r,choice:i})=>R(p(r),"",()=>this.click({choice:i,offer:n}))),ue("Refuse",
()=>this.refuse()),R("Stop","",()=>this.click({choice:"stop"})))}choose(){this.leaveEditor();let t=this.pending.offers??[];this.show("choose",R("Approve","prima\
ry",()=>this.click({choice:"approve"}),"A"),ue("Edit",()=>this.edit(),"E"),ue("Refuse",()=>this.refuse(),"R"),R("Stop","",()=>this.click({choice:"stop"}),"S"),...t.
map(({id:n,label:r,choice:i})=>R(p(r),"offer",()=>this.click({choice:i,offer:n})))),this.offerMore()}edit(){let{code:t,kind:n}=this.step,r=a("div","part"),i=()=>ka(
r,t,l.value),o=()=>this.click({choice:"edit",text:l.value}),s=R(n==="plan"?"Use edited plan":"Run edited","primary",o),l=new ge(t,n==="code",i,o,()=>s.focus({preventScroll:!0}));
this.editor=l,i(),this.show("edit",l.el,r,a("span","hint",ya),s,ue("Cancel",()=>this.back())),this.enter(l),l.improve()}refuse(){let t=te("comment");t.rows=2,t.
setAttribute("aria-label","Why, or what to do instead. The model reads it."),t.placeholder="Why, or what to do instead (the model reads it)";let n=()=>this.click(
{choice:"refuse",comment:t.value});t.addEventListener("keydown",r=>{r.key!=="Enter"||r.shiftKey||r.isComposing||(r.preventDefault(),!r.repeat&&L(r)&&n())}),this.
show("refuse",t,R("Send refusal","danger",n),ue("Cancel",()=>this.back())),this.enter(t)}enter(t){t.focus({preventScroll:!0}),this.el.scrollIntoView?.({block:"n\
earest"})}leaveEditor(){this.editor instanceof ge&&this.editor.close(),this.editor=null}back(){this.begin(),this.row.querySelector("button")?.focus({preventScroll:!0})}show(t,...n){
this.el.dataset.mode=t,this.row.replaceChildren(...n.filter(r=>r instanceof Node)),this.say("");for(let r of this.row.querySelectorAll(".smolcell-primary"))r.setAttribute(
"aria-describedby",this.unread.id);this.turned(t)}click(t){this.desk.clickCounts()?this.send(t):this.say("Too early: a click counts half a second after the step\
 or the window came to the front. Click again.")}send(t){this.sent===""&&(this.sent=this.desk.answer(this.pending,t),this.arm(!1),this.editor!==null&&(this.editor.
readOnly=!0),this.say("Sent\u2026"),this.overdue=setTimeout(()=>this.again("The kernel has not confirmed this yet. You can try again."),ga))}again(t){this.sent=
"",this.arm(!0),this.editor!==null&&(this.editor.readOnly=!1),this.say(t)}say(t){this.message.textContent=t,this.message.hidden=t===""}};function ka(e,t,n){let r=t!==
n;e.replaceChildren(...r?[a("p","quiet","What you changed:"),le(se(t,n))]:[]),e.hidden=!r}var ya="Ctrl+Enter or Shift+Enter sends it, Tab indents, Escape leaves\
 the editor.",va="Approve code while the sandbox is isolated, in this session";function R(e,t,n,r=""){let i=S(e,t,o=>L(o)&&n(),r);return i.dataset.sends="",i}function ue(e,t,n=""){
return S(e,"",r=>L(r)&&t(),n)}var wa={thinking:"thinking",pending:"waiting",allowed:"running",running:"running",done:"done",refused:"refused",unparsed:"no code",cut:"cut short"},Ea={person:"\
you",policy:"the policy",auto:"auto-approval",remembered:"your earlier approval",grant:"a grant of yours",caller:"the caller",deny:"the deny setting",nobody:"no\
body: there was no one to ask"},st=class{constructor(t,n){this.desk=t;this.runs=n;this.el=a("section","step",a("div","step-head",a("h4","step-title",this.toggle),
this.facts),this.reasoningFold,this.thought.el,this.draft.el,this.code.el,this.decision.el,this.place,this.tools.el,this.runs.el,this.printed.el,this.shown.el,this.
seen.el),this.collapse(!1)}desk;runs;el;controls=null;drawn=null;toggle=S("","step-toggle",()=>this.collapse(this.el.dataset.collapsed!=="true"));facts=a("div",
"step-facts");reasoningText=a("div","reasoning");reasoning=new q(this.reasoningText);reasoningFold=_("Reasoning",this.reasoningText);thought=new q(a("div","thou\
ght"));draft=new Te(a("pre","draft"));code=new T(a("div","part"));decision=new T(a("div","decision"));place=a("div","place");printed=new ie(_r());shown=new T(a(
"div","part"));tools=new T(a("div","part"));seen=new T(a("div","part"));head=new T(this.facts);update(t,n,r){t!==this.drawn&&this.drawParts(t),this.drawn=t,this.
drawControls(t,n!==null&&n.fingerprint===t.fingerprint?n:null),this.runs.update(t.runs,r),this.waiting()!==void 0&&this.el.dataset.collapsed==="true"&&this.collapse(
!1)}shows(t){return t===this.drawn&&this.controls===null&&t.runs.length===0}waiting(){return this.controls===null?this.runs.waiting():this}get step(){return this.
drawn}collapse(t){this.el.dataset.collapsed=String(t&&this.waiting()===void 0),this.toggle.setAttribute("aria-expanded",String(this.el.dataset.collapsed==="fals\
e"))}take(t){this.controls?.take(t)}drawParts(t){this.el.setAttribute("aria-label",si(t)),this.el.dataset.call=String(t.call),this.el.dataset.status=Gt(t)?"fail\
ed":t.status,this.el.dataset.step=String(t.n),this.toggle.textContent!==oi(t)&&(this.toggle.textContent=oi(t)),this.el.dataset.undone=String(t.undone),this.head.
draw([t.status,t.usage,t.observation,t.kind,t.undone],()=>xa(t)),this.reasoning.set(t.reasoning.trim()),this.reasoningFold.hidden=t.reasoning==="";let[n,r]=t.reply===
""?[t.thought,""]:Ra(t.reply);this.thought.set(n.trim()),this.draft.set(p(r)),this.code.draw([t.code,t.kind,t.findings,t.edited,t.observation===null,Yt(t)],()=>Aa(
t)),this.decision.draw([t.status,t.by,t.scope,t.comment,t.offer,t.reason],()=>La(t)),this.tools.draw([t.tools],()=>Ta(t.tools)),this.printed.set(t.observation===
null?t.output:t.observation.stdout),this.shown.draw([t.outputs],()=>t.outputs.flatMap(i=>qt(i))),this.seen.draw([t.observation],()=>t.observation===null?[]:Tr(t.
observation,t.edited??t.code))}drawControls(t,n){let r=n!==null&&t.status==="pending"?n:null;if(JSON.stringify(r)!==JSON.stringify(this.controls?.pending??null)){
if(this.controls?.close(),this.controls=null,this.showCode(!0),r!==null){let i=[...this.code.el.querySelectorAll(".smolcell-line")];this.controls=new ot(this.desk,
t,r,i,o=>this.showCode(o!=="edit"))}this.collapse(!1),this.place.replaceChildren(...this.controls===null?[]:[this.controls.el])}}showCode(t){let n=this.code.el.
querySelector(":scope > .smolcell-code");n!==null&&(n.hidden=!t)}};function Gt(e){return e.observation?.error!=null}function Yt(e){return e.observation?.error?.
line??0}function xa(e){let t=a("span",`status ${Gt(e)?"failed":e.status}`,Gt(e)?"error":wa[e.status]),n=e.observation===null?"":`ran ${I(e.observation.duration)}`,
r=e.duration>0?`model ${I(e.duration)}`:"",i=O(r,n,e.usage===null?"":ee(e.usage),e.usage===null?"":U(e.usage));return[e.undone&&a("span","status undone","taken \
back"),t,a("span","figures",i)]}var Ca=1e6;function si({n:e,call:t,kind:n}){return n==="context"?"The notebook as context":t===0||t>=Ca?`Step ${e}`:`Step ${e}, \
call ${t}`}var Da={code:"",call:": a tool call",plan:": a plan",budget:": the budget is spent",question:": a question to you",context:"",output:": an output che\
ck asks you",host:": a host"};function oi(e){return si(e)+(e.kind==="call"&&e.call===0?"":Da[e.kind])}function Aa(e){if(e.code==="")return[];if(e.kind==="contex\
t")return[a("p","question",p(e.code.split(`
`,1)[0]??""))];let t=e.observation===null?e.findings:e.findings.filter(({kind:n})=>n!=="name");return e.edited===null?[tt(e.code,e.kind,t,Yt(e)),Wt(t)]:[a("p","\
note","Edited by you. This ran:"),tt(e.edited,e.kind,[],Yt(e)),Sa(e.code,e.edited),_("What the model proposed",tt(e.code,e.kind,t),Wt(t))]}function Sa(e,t){let n=se(
e,t),r=_("What you changed",le(n));return r.open=n.filter(({sign:i})=>i!==" ").length<=Fa,r}var Fa=20;function Ta(e){if(e.length===0)return[];let t=e.reduce((r,{
times:i})=>r+i,0),n=_(`Tools called: ${t}`,a("ul","calls",...e.map(Ma)));return n.open=e.length<=_a||e.some(({error:r})=>r!==""),[n]}var _a=5;function Ma({text:e,
result:t,error:n,duration:r,times:i}){let o=n===""?a("code","quiet",p(t)):a("span","fault-title",p(n)),s=O(i>1?`${i} times, such as this`:"",I(r)),l=t===""&&n===
""?"":" \u2192 ";return a("li","call",a("code","",p(e)),l,o,a("span","figures",` \xB7 ${s}`))}function La(e){let t=Ea[e.by]??p(e.by);if(e.status==="unparsed")return[
a("p","note","The reply held no program. The model was told: ",Kt(e.reason))];if(e.status==="refused")return[a("p","note",`Refused by ${t}`,e.reason===""?".":":\
 ",Kt(e.reason))];if(e.by==="")return[];let n=e.kind==="question"?"Answered":"Approved",r=e.scope==="run"?e.kind==="plan"?", with every plan of this run":", wit\
h the rest of this run":e.scope==="kind"?", with later code of this session while the sandbox is isolated":"",i=e.offer===""?"":`, and ${p(e.offer)}`;return[a("\
p","quiet",`${n} by ${t}${r}${i}`,e.comment===""?".":": ",Kt(e.comment))]}function Kt(e){return e===""?null:a("q","quote",p(e))}function Ra(e){let t=/<code>|```[a-z]*\n?|^(?=\s*\{)/m.
exec(e),n=e.slice(0,t?.index).replace(/^\s*Thought:\s*/,"");return t===null?[n,""]:[n,e.slice(t.index+t[0].length).replace(/\s*(<\/code>|```)\s*$/,"").trimStart()]}var $a=50,Pa=8,Oa=3,Fe=class{constructor(t){this.desk=t}desk;el=a("div","steps");views=[];found;folded=0;batch=this.el;update(t,n){if(t.steps.forEach((r,i)=>{let o=this.
views[i]??this.add(),s=n!==null&&n.run===t.run&&n.step===r.n?n:null;(s!==null||!o.shows(r))&&o.update(r,s,n)}),this.cut(t.steps.length),this.views.length>=Pa)for(;this.
folded<this.views.length-Oa;this.folded++)this.views[this.folded]?.collapse(!0);this.found=this.views.findLast(r=>r.waiting()!==void 0)?.waiting()}waiting(){return this.
found}cut(t){for(let n of this.views.splice(t))n.el.remove();for(;this.batch!==this.el&&this.batch.firstChild===null;){let n=this.batch.previousElementSibling;this.
batch.remove(),this.batch=n?.classList.contains("smolcell-batch")===!0?n:this.el}}add(){let t=new st(this.desk,new Zt(this.desk));return this.views.length%$a===
0&&this.views.length>0&&(this.batch=this.el.appendChild(a("div","batch"))),this.views.push(t),this.batch.append(t.el),t}},Zt=class{constructor(t){this.desk=t;this.
el.hidden=!0}desk;el=a("div","runs");views=[];update(t,n){this.el.hidden!==(t.length===0)&&(this.el.hidden=t.length===0),t.forEach((r,i)=>(this.views[i]??this.add()).
update(r,n));for(let r of this.views.splice(t.length))r.el.remove()}waiting(){return this.views.findLast(t=>t.steps.waiting()!==void 0)?.steps.waiting()}add(){let t=new Jt(
this.desk);return this.views.push(t),this.el.append(t.el),t}},Jt=class{el;steps;summary=new T(a("summary","summary"));task=new T(a("div","task-part"));answered=new T(
a("div","answer"));foot=new T(a("div","foot"));constructor(t){this.steps=new Fe(t),this.el=a("details","fold run",this.summary.el,this.task.el,this.steps.el,this.
answered.el,this.foot.el),this.el.open=!0}update(t,n){this.el.dataset.run!==t.run&&this.name(t),n!==null&&(n.run===t.run||n.run.startsWith(`${t.run}-`))&&!this.
el.open&&(this.el.open=!0),this.summary.draw([t.agent,t.model,t.boundary,t.phase,t.ended],()=>[Ia(t)]),this.task.draw([t.task],()=>[a("div","task",p(t.task))]),
this.steps.update(t,n),this.answered.draw([t.answer],()=>Xe(t)),this.foot.draw([t.ended],()=>Ba(t))}name(t){this.el.dataset.run=t.run,this.el.setAttribute("aria\
-label",`Run of the agent ${p(t.agent)}`)}};function Ia(e){let t=e.ended===null?e.phase:Ut[e.ended.state]??e.ended.state,n=e.boundary===null?e.sandbox:e.boundary.
where;return a("span","",a("strong","",`Agent ${p(e.agent)}`),` \xB7 ${O(t.toLowerCase(),p(e.model),p(n))}`)}function Ba({ended:e}){if(e===null)return[];let t=O(
M(e.steps,"step"),I(e.duration),ee(e.usage),U(e.usage));return[a("p","quiet",t),e.error!==""&&a("p","fault-title",p(e.error))]}var Qt=Number.NEGATIVE_INFINITY,lt=class{constructor(t,n,r,i=()=>performance.now()){this.root=t;this.changed=n;this.now=i;this.sight.pageVisible=document.visibilityState===
"hidden"?null:Qt;let o=window.top===window;this.sight.windowFocused=!o||document.hasFocus()?Qt:null,o&&this.watchWindow(r),document.addEventListener("visibility\
change",()=>this.set("pageVisible",document.visibilityState!=="hidden"),{signal:r}),t.addEventListener("focusin",s=>this.focused(s),{signal:r}),t.addEventListener(
"focusout",s=>this.left(s),{signal:r}),this.observer=typeof IntersectionObserver>"u"?null:new IntersectionObserver(s=>this.seen(s)),r.addEventListener("abort",()=>this.
observer?.disconnect())}root;changed;now;sight={drawn:null,pageVisible:null,windowFocused:null,inView:null,cardFocused:null};observer;watched=null;watch(t){this.
observer?.disconnect(),this.watched=t,this.sight.inView=this.observer===null?Qt:null,this.set("drawn",t!==null,!0),t!==null&&this.observer?.observe(t)}clickCounts(){
return bt(this.sight,this.now())}keyCounts(){return an(this.sight,this.now())}typed(){this.sight.cardFocused!==null&&this.set("cardFocused",!0,!0)}watchWindow(t){
window.addEventListener("focus",()=>this.set("windowFocused",!0),{signal:t}),window.addEventListener("blur",()=>this.set("windowFocused",!1),{signal:t})}focused(t){
let n=t.relatedTarget;n instanceof Node&&this.root.contains(n)&&!z(n)||this.set("cardFocused",!0,!0)}left(t){let n=t.relatedTarget;(!(n instanceof Node)||!this.
root.contains(n))&&this.set("cardFocused",!1)}seen(t){let n=t.findLast(r=>r.target===this.watched);n!==void 0&&this.set("inView",n.isIntersecting)}set(t,n,r=!1){
let i=this.sight[t];n?(i===null||r)&&(this.sight[t]=this.now()):this.sight[t]=null,this.changed(),n&&setTimeout(this.changed,505)}};var ut=class{constructor(t,n,r){this.feed=t;this.post=n;this.el.tabIndex=0,this.el.setAttribute("role","region");let i=a("div","head",a("div","head-text",this.task.
el,this.head.el,this.model.el));this.list=new Fe(this),this.el.append(this.rule.el,i,this.list.el,this.notices.el,this.now,this.answered.el,this.mend.el,this.follow.
el,this.foot.el,this.exported.el,this.announcer.el),this.lookout=new lt(this.el,()=>this.arm(),r),this.borrowed=new Pe(this.el,r),this.record=new Ne(this.el,()=>this.
post.record(this.feed.state.run),r),this.libraries=new Ie(this.el,n.library,r),vn(this.el,n.picture,r),this.listen(r),this.update()}feed;post;el=a("div","card");task=new T(
a("div","task-part"));head=new T(a("div","head-parts"));stopButton=S("Stop run","stop",()=>this.stop());rule=new T(document.createElement("style"));list;notices=new T(
a("div","notices"));progress=a("div","progress");now=a("div","now",this.progress,this.stopButton);announcer=new $e;answered=new T(a("div","answer"));foot=new T(
a("div","foot"));record;libraries;exported=new Be(()=>this.post.export(this.feed.state.run));model=new rt((t,n)=>this.post.request(t,this.feed.state.run,n));mend=new nt(
()=>this.post.request("replacement",this.feed.state.run));follow=new He;lookout;borrowed;phase="";since=performance.now();stopping=!1;over=!1;scrolled=!1;answer(t,n){
return this.borrowed.keep(),this.scrolled=!1,this.post.answer(t,n)}clickCounts(){return this.lookout.clickCounts()}update(){let{state:t}=this.feed,n=this.waiting()?.
controls??null,r=t.ended!==null&&!this.over,i=z(this.el.ownerDocument.activeElement);r&&this.borrowed.keep();let{isHere:o}=this.borrowed;this.drawEnds(t),this.list.
update(t,this.feed.link==="live"?this.feed.pending:null),this.drawStop(t);let s=this.waiting()?.controls??null;s!==n&&this.turned(o),s?.take(this.feed.verdict),
this.announcer.tell(t,this.waiting()?.step??void 0,this.feed.pending?.run),t.phase!==this.phase&&([this.phase,this.since]=[t.phase,performance.now()]),this.tick(),
this.arm(),this.over=t.ended!==null,r&&!i&&this.borrowed.giveBack()}drawTask(t){return this.el.setAttribute("aria-label",`Agent run ${p(t.task).slice(0,80)}`.trim()),
t.task===""?[]:jr(t)}drawStop(t){this.stopButton.hidden=t.ended!==null||this.feed.link!=="live"||this.waiting()!==void 0,this.stopButton.disabled=this.stopping;
let n=String(!this.stopButton.hidden&&this.feed.pending===null);this.now.dataset.floating!==n&&(this.now.dataset.floating=n)}waiting(){return this.list.waiting()}drawEnds(t){
this.el.dataset.link=this.feed.link,this.el.dataset.run=t.run,this.rule.draw([t.run],()=>[`.smolcell-run-${t.run.replace(/[^A-Za-z0-9-]/g,"")} { display: none; \
}`]),this.task.draw([t.task],()=>this.drawTask(t)),this.head.draw([t.run,t.boundary,t.variables,t.model,t.sent],()=>t.run===""?[]:Hr(t)),this.notices.draw([t.notices.
length],()=>t.notices.map(n=>a("p","note",p(n.text)))),this.answered.draw([t.answer],()=>Xe(t)),this.foot.draw([t.ended],()=>qr(t)),this.model.update(this.feed),
this.mend.update(this.feed),this.follow.update(this.feed),this.exported.update(this.feed),this.record.update(this.feed),this.libraries.update(this.feed.library)}turned(t){
let n=this.waiting();this.lookout.watch(n?.controls?.el??null);let r=t||pn(this.el);(n===void 0?t&&!this.borrowed.isHere:r||fn(this.el))&&this.el.focus({preventScroll:!0}),
n!==void 0&&r&&!this.scrolled&&li(n)}arm(){this.waiting()?.controls?.arm(this.lookout.clickCounts()||this.onlyUnfocused()),this.el.dataset.armed=String(this.waiting()!==
void 0&&this.lookout.keyCounts())}onlyUnfocused(){let{drawn:t,pageVisible:n}=this.lookout.sight;return t!==null&&n!==null&&performance.now()-Math.max(t,n)>=500}stop(){
this.borrowed.keep(),this.stopping=!0,this.stopButton.disabled=!0,this.stopButton.textContent="Stopping\u2026",this.post.stop(this.feed.state.run)}listen(t){window.
addEventListener("keydown",r=>this.keyDown(r),{capture:!0,signal:t});for(let r of["wheel","touchmove"])window.addEventListener(r,()=>this.scrolled=!0,{capture:!0,
passive:!0,signal:t});this.el.addEventListener("keydown",r=>z(r.target)&&r.stopPropagation(),{signal:t});let n=setInterval(()=>this.tick(),1e3);t.addEventListener(
"abort",()=>clearInterval(n))}keyDown(t){let n=t.composedPath()[0]??null;if(Na.has(t.key)&&(this.scrolled=!0),!t.composedPath().includes(this.el)||z(n)||!dn(t)||
this.over&&t.key==="Enter"&&t.shiftKey||(t.stopImmediatePropagation(),!L(t)))return;this.lookout.keyCounts()||this.lookout.typed();let r=cn(t);if(r===null)return;
t.preventDefault();let i=this.waiting();i===void 0?r==="stop"&&!this.stopButton.hidden&&!this.stopping&&this.stop():this.lookout.keyCounts()?i.controls?.press(r):
this.lookout.sight.inView===null&&li(i)}tick(){let t=this.doing();this.progress.textContent!==t&&(this.progress.textContent=t),this.progress.hidden=t===""}doing(){
let{state:t,link:n,pending:r}=this.feed;if(n==="dead")return"The kernel that ran this is gone, or was restarted. Nothing here can run any more.";if(n==="connect\
ing")return"Waiting for the kernel\u2026";if(n==="over")return t.ended===null?"This run is over.":"";let i=I(Math.floor((performance.now()-this.since)/1e3)).replace(
".0",""),o=Ha[t.phase]??"";if(r!==null)return"Waiting for your decision.";if(t.phase==="asking")return"Checking\u2026";let s=t.phase==="thinking"&&t.boundary===
null&&t.progress===""?" \xB7 the sandbox is starting":"";return`${o}\u2026 ${i}${s}${t.progress===""?"":` \xB7 ${p(t.progress)}`}`}};function li(e){(e.el.getBoundingClientRect().
height<window.innerHeight?e.el:e.controls?.el)?.scrollIntoView?.({block:"nearest"})}var Na=new Set(["PageUp","PageDown","ArrowUp","ArrowDown","Home","End"]),Ha={
opening:"Starting",thinking:"Thinking",running:"Running"};var nn={run:"",agent:"",task:"",variables:[],files:[],tools:[],lost:[],locks:[],sent:[],images:0,model:"",sandbox:"",approve:"",session:"",resumes:"",window:0,boundary:null,
phase:"opening",progress:"",steps:[],notices:[],answer:null,ended:null};function ct(e,t=[]){return t.reduce(ht,e.reduce(dt,nn))}function dt(e,t){if(e.run!==""&&
t.run!==e.run)return ja(e,t);let n=qa(e,t);return n===e||n.progress===""?n:{...n,progress:""}}function ja(e,t){if(t.event!=="Asked"||t.parent!==e.run)return fi(
e,i=>dt(i,t));let{parent_step:n=0,parent_call:r=0}=t;return $(e,n,i=>({...i,runs:[...i.runs,ct([t])]}),r)}function fi(e,t){let n=!1,r=e.steps.map(i=>{let o=i.runs.
map(t);return o.every((s,l)=>s===i.runs[l])?i:(n=!0,{...i,runs:o})});return n?{...e,steps:r}:e}function qa(e,t){switch(t.event){case"Asked":return za(e,t);case"\
Sent":return{...e,sent:t.pieces};case"Opened":return{...e,boundary:t.boundary};case"Replied":return{...$(Wa(e,t),t.step,Va(t)),phase:"thinking"};case"Unparsed":
return{...$(e,t.step,Ka(t)),phase:"thinking"};case"Trimmed":return{...e,notices:[...e.notices,{step:t.step,text:yc(t.steps)}]};case"Proposed":return{...Ga(e,t),
phase:"asking"};case"Installed":return{...e,notices:[...e.notices,{step:t.step,text:fc(t)}]};case"Granted":return{...e,notices:[...e.notices,{step:t.step,text:pc(
t)}]};case"Connected":return{...e,notices:[...e.notices,{step:t.step,text:nc(t)}]};case"Checked":return{...e,notices:[...e.notices,{step:t.step,text:rc(t)}]};case"\
Allowed":return ui(e,t)?ai(e,t):Ja($(e,t.step,Za(t),t.call),t);case"Refused":return ui(e,t)?ai(e,t):en(Qa($(e,t.step,ic(t),t.call),t),t.step);case"Called":return $(
e,t.step,ac(t));case"Observed":return en($(e,t.step,cc(t),t.call),t.step);case"Answered":return{...$(e,t.step,dc),answer:{step:t.step,text:t.text,is_text:t.is_text??
!1}};case"Ended":return hc(e,t);case"Undone":return mc(e,t);default:return e}}function ht(e,t){if((t.run??e.run)!==e.run)return fi(e,n=>ht(n,t));switch(t.channel){case"\
progress":return{...e,progress:t.text};case"reply":return $(e,t.step,n=>({...n,reply:tn(n.reply,t.text)}));case"reasoning":return $(e,t.step,n=>({...n,reasoning:tn(
n.reasoning,t.text)}));case"output":return $(e,t.step,n=>oc(n,t.text));case"display":return $(e,t.step,n=>({...n,outputs:uc(n.outputs,t.text)}));default:return e}}
function $(e,t,n,r=0){let i=e.steps.findLastIndex(s=>s.n===t&&s.call===r),o=[...e.steps];return i<0?o.push(n(Ua(t,r))):o[i]=n(o[i]),{...e,steps:o}}function Ua(e,t){
return{n:e,call:t,status:"thinking",kind:"code",reply:"",reasoning:"",thought:"",code:"",fingerprint:"",findings:[],edited:null,sha256:"",by:"",scope:"",comment:"",
offer:"",who:"",reason:"",output:"",outputs:[],observation:null,usage:null,duration:0,runs:[],tools:[],undone:!1}}function za(e,t){let{run:n,task:r,variables:i,
model:o,sandbox:s,approve:l,session:u,resumes:c="",files:d=[],tools:f=[],lost:g=[],locks:m=[],agent:h=""}=t;return{...e,run:n,agent:h,task:r,variables:i,files:d,
tools:f,lost:g,locks:m,images:t.images.length,model:o,sandbox:s,approve:l,session:u,resumes:c,phase:"thinking"}}function Wa(e,{step:t,note:n="",window:r=0}){let i=r>
0?{...e,window:r}:e;return n===""?i:{...i,notices:[...e.notices,{step:t,text:n}]}}function Va({text:e,reasoning:t,usage:n,duration:r}){return i=>({...i,reply:e,
reasoning:t,usage:n,duration:r})}function Ka({reason:e}){return t=>({...t,status:"unparsed",reason:e})}function Ga(e,t){let{step:n,call:r=0,thought:i}=t;if(r===
0)return $(e,n,at(t));if(pi.has(t.kind))return $(e,n,at(t),r);let o=e.steps.findLast(l=>l.n===n&&l.call===0);if(o!==void 0&&o.status!=="thinking")return $(e,n,at(
t),r);let s=$(e,n,l=>({...l,status:"done",kind:"call",reply:"",thought:i}));return $(s,n,at({...t,thought:""}),r)}var Ya={edited:null,sha256:"",by:"",scope:"",comment:"",
offer:"",who:"",reason:""};function at({kind:e,thought:t,text:n,fingerprint:r,findings:i}){return o=>({...o,...Ya,status:"pending",reply:"",kind:e,thought:t,code:n,
fingerprint:r,findings:i})}function Za({text:e,sha256:t,by:n,edited:r,scope:i,comment:o,kind:s,offer:l="",who:u=""}){let c=s==="plan"?"done":"allowed";return d=>({
...d,status:c,edited:r?e:null,sha256:t,by:n,scope:i,comment:o,offer:l,who:u})}function Ja(e,{kind:t,step:n,call:r=0}){if(t==="plan")return{...e,phase:"thinking"};
let i=e.steps.find(s=>s.n===n&&s.call===r);if(t==="context")return{...e,steps:e.steps.filter(s=>s!==i),phase:"thinking"};if(t!=="budget")return{...e,phase:"runn\
ing"};let o={step:n,text:`${i?.code??""} It was allowed.`};return{...e,steps:e.steps.filter(s=>s!==i),notices:[...e.notices,o],phase:"thinking"}}function Qa(e,{
step:t,call:n=0,then:r}){let i=e.steps.find(o=>o.n===t&&o.call===n);return i?.kind!=="context"||r!=="continue"?e:{...e,steps:e.steps.filter(o=>o!==i),notices:[...e.
notices,{step:t,text:Xa}]}}var Xa="The cells of the notebook were not sent to the model.";function ui(e,{step:t,call:n=0}){return e.steps.some(r=>r.n===t&&r.call===
n&&pi.has(r.kind))}var pi=new Set(["output","host"]);function ai(e,{step:t,call:n=0}){return en({...e,steps:e.steps.filter(r=>r.n!==t||r.call!==n)},t)}var ec={model:"\
the text for the model",answer:"the answer",saved:"what is saved"},tc={pass:"Passed as it is",redact:"Redacted",refuse:"Refused"};function nc({host:e,port:t,sent:n,
received:r,duration:i,refused:o="",credentials:s=[],times:l}){let u=t===0?e||"a host":`${e}:${t}`;if(o!=="")return`No connection to ${u}${l>1?` (${l} times)`:""}\
: ${o}.`;let c=s.length>0?`, with the credential ${s.join(", ")}`:"",d=`${ci(n)} bytes sent, ${ci(r)} received`;return`${l>1?`${l} connections`:"Connected"} to ${u}\
: ${d}, ${i.toFixed(3)} s${c}.`}function ci(e){return e.toLocaleString("en-US")}function rc({at:e,to:t,check:n,found:r,action:i,why:o}){let s=e==="tools"?`what \
is passed to ${t}`:ec[e],l=Object.entries(r).map(([u,c])=>`${u} (${c})`);return`${n} found in ${s}: ${l.join(", ")}. ${tc[i]}${o===""?"":` (${o})`}.`}function en(e,t){
let n=e.steps.findLast(r=>r.n===t&&r.call===0);return{...e,phase:n?.status==="allowed"||n?.status==="running"?"running":"thinking"}}function ic({reason:e,by:t,who:n=""}){
return r=>({...r,status:"refused",reason:e,by:t,who:n})}function oc(e,t){return{...e,status:e.status==="allowed"?"running":e.status,output:tn(e.output,t)}}var di=25e4;
function tn(e,t){return e.length>=di&&!t.includes("\r")?e:sc(e+t).slice(0,di)}function sc(e){if(!e.includes("\r"))return e;let[t="",...n]=e.split(`
`),r=hi(t);return[r===t?t:`\r${r}`,...n.map(hi)].join(`
`)}var lc=/[\x00-\x1f\x7f]/;function hi(e){let t=e.length;for(;t>0&&lc.test(e[t-1]);)t--;return e.slice(e.slice(0,t).lastIndexOf("\r")+1)}function uc(e,t){let{at:n,
count:r,data:i}=JSON.parse(t),o=e.slice(0,r);return i===null||n>o.length?o:[...o.slice(0,n),{data:i},...o.slice(n+1)]}function ac({call:e,name:t,text:n,result:r,
error:i,duration:o,times:s}){return l=>({...l,tools:[...l.tools,{call:e,name:t,text:n,result:r,error:i,duration:o,times:s}]})}function cc(e){let{stdout:t,result:n,
outputs:r,error:i,changed:o,is_final_answer:s,dropped:l,state_lost:u,duration:c,files:d=[]}=e,f={stdout:t,result:n,outputs:r,error:i,changed:o,is_final_answer:s,
dropped:l,state_lost:u,duration:c,files:d};return g=>({...g,status:"done",output:"",outputs:[],observation:f})}function dc(e){return e.status==="thinking"?{...e,
status:"done"}:e}function hc(e,t){let{state:n,steps:r,usage:i,duration:o,error:s,cut:l,receipt:u={}}=t,c=e.steps.map(d=>kc.has(d.status)?{...d,status:"cut"}:d);
return{...e,steps:c,phase:"ended",ended:{state:n,steps:r,usage:i,duration:o,error:s,cut:l,receipt:u}}}function fc({packages:e,index:t}){return`Installed for thi\
s session from ${t}: ${e.map(({name:n,version:r})=>`${n} ${r}`).join(", ")}.`}function pc({grants:e,revoked:t=!1}){let n=e.map(({kind:r,name:i,scope:o})=>`${r} ${i}\
, ${bc[o]??o}`);return`${t?"Taken back":"Allowed by you"}: ${n.join(", ")}.`}function mc(e,t){let n=e.steps.map(r=>r.n>t.step?{...r,undone:!0}:r);return{...e,steps:n,
notices:[...e.notices,{step:t.step,text:gc(t)}]}}function gc({step:e,how:t,differs:n,uncovered:r,stays:i}){let l=[`${e>0?`What ran after step ${e}`:"This run"} \
was taken back: ${t==="copy"?"a copy of the sandbox took over":"the steps before it ran once more in a new sandbox"}.`];return n.length>0&&l.push(`Run again, th\
ese steps printed something else: ${n.join(", ")}.`),r!==""&&l.push(`The files in the work folder stay as they are: ${r}.`),l.push("What was pulled into the not\
ebook or kept as a file stays."),i.length>0&&l.push(`What tools did stays, too: ${i.join("; ")}.`),l.join(" ")}var bc={once:"once",run:"for this run",session:"f\
or this session",notebook:"for this notebook"},kc=new Set(["thinking","pending","allowed","running"]);function yc(e){return`The output of ${e.length===1?`step ${e[0]}`:
`steps ${e.join(", ")}`} is no longer shown to the model: the history outgrew its prompt.`}var ft=class{constructor(t){this.sync=t}sync;state=nn;pending=null;link="connecting";verdict=null;cells=null;saved=null;reply=null;library=null;last=0;listeners=new Set;listen(t){
return this.listeners.add(t),()=>this.listeners.delete(t)}receive(t){if(t.type==="json")return this.receive(JSON.parse(t.text));if(t.type==="verdict")this.verdict=
{id:t.id,ok:t.ok,why:t.why};else if(t.type==="cells")this.cells=t;else if(t.type==="record")this.saved=t;else if(t.type==="reply")this.reply=t;else if(t.type===
"library")this.library=t;else if(t.type==="snapshot")this.takeSnapshot(t);else if(!this.takeNumbered(t))return;t.type!=="snapshot"&&(this.link=this.state.ended===
null?"live":"over"),this.changed()}restore(t){t===""||this.state.ended!==null||(this.state=ct(JSON.parse(t)),this.pending=null,this.link="over",this.changed())}die(){
this.link!=="over"&&(this.link="dead",this.changed())}takeNumbered(t){return!Number.isInteger(t.seq)||t.seq<=this.last?!1:t.seq>this.last+1?(this.sync(),!1):(this.
last=t.seq,t.type==="event"&&(this.state=dt(this.state,t.event)),t.type==="delta"&&(this.state=ht(this.state,t.delta)),t.type==="pending"&&(this.pending=t.pending),
this.state.ended!==null&&(this.pending=null),!0)}takeSnapshot(t){t.seq<this.last||(this.last=t.seq,this.state=vc(this.state,ct(t.events,t.deltas)),this.pending=
t.pending,this.link=t.live&&this.state.ended===null?"live":"over")}changed(){for(let t of[...this.listeners])t()}};function vc(e,t){let n=t.steps.map((r,i)=>{let o=e.
steps[i];return o!==void 0&&JSON.stringify(o)===JSON.stringify(r)?o:r});return{...t,steps:n}}var wc=500,Ec=4e3,rn=class{constructor(t){this.model=t;t.on("msg:custom",(n,r)=>this.receive(n,r)),t.on("change:snapshot",()=>this.restore()),t.on("comm:close",
()=>this.feed.die()),t.on("comm_live_update",()=>this.doubt()),this.restore(),xc().then(n=>this.user=n)}model;feed=new ft(()=>this.sync());syncedAt=Number.NEGATIVE_INFINITY;answers=0;user="";send(t){
try{return this.model.send(t),!0}catch{return this.feed.die(),!1}}ready(){this.send({type:"ready"}),setTimeout(()=>this.feed.link==="connecting"&&this.feed.die(),
Ec)}post={answer:(t,n)=>{let r=this.newId();return this.send({type:"answer",id:r,...t,...n,...this.user===""?{}:{user:this.user}}),r},stop:t=>this.send({type:"s\
top",run:t}),export:t=>this.ask("export",t),record:t=>this.ask("record",t),request:(t,n,r="")=>this.ask(t,n,r),library:t=>{this.send({type:"library",name:t})},picture:t=>{
this.send({type:"picture",...t})}};ask(t,n,r=""){let i=this.newId();return this.send({type:t,id:i,run:n,...r===""?{}:{choice:r}})?i:""}newId(){return`${Date.now().
toString(36)}-${++this.answers}`}receive(t,n=[]){if(typeof t!="object"||t===null)return;let[r]=n;t.type!=="library"||r===void 0?this.feed.receive(t):Cc(r).then(
i=>this.feed.receive({...t,code:i}))}restore(){let t=this.model.get("snapshot");typeof t=="string"&&this.feed.restore(t)}doubt(){this.feed.die(),this.sync()}sync(){
let t=performance.now();t-this.syncedAt<wc||(this.syncedAt=t,this.send({type:"sync"}))}};async function xc(){try{let t=JSON.parse(document.getElementById("jupyt\
er-config-data")?.textContent??"{}").baseUrl;if(typeof t!="string")return"";let n=await fetch(new URL(`${t.replace(/\/?$/,"/")}api/me`,location.href),{credentials:"\
same-origin"}),{identity:r}=await n.json(),[i,o]=[r?.display_name,r?.username].map(s=>typeof s=="string"?s:"");return i===o||!o?i??"":`${i} (${o})`}catch{return""}}
async function Cc(e){return new Response(new Blob([e]).stream().pipeThrough(new DecompressionStream("gzip"))).text()}function Dc(){let e=null,t=n=>e??=new rn(n);
return{initialize({model:n}){t(n).send({type:"init"})},render({model:n,el:r}){let{feed:i,post:o}=t(n),s=new AbortController,l=new ut(i,o,s.signal),u=i.listen(()=>l.
update());return r.append(l.el),t(n).ready(),()=>{s.abort(),u(),l.el.remove()}}}}export{Dc as default};
