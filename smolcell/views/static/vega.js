/*! vega
Copyright (c) 2015-2023, University of Washington Interactive Data Lab
All rights reserved.

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this
   list of conditions and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice,
   this list of conditions and the following disclaimer in the documentation
   and/or other materials provided with the distribution.

3. Neither the name of the copyright holder nor the names of its contributors
  may be used to endorse or promote products derived from this software
  without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT OWNER OR CONTRIBUTORS BE LIABLE
FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/
/*! vega-lite
Copyright (c) 2015, University of Washington Interactive Data Lab.
All rights reserved.

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this
   list of conditions and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice,
   this list of conditions and the following disclaimer in the documentation
   and/or other materials provided with the distribution.

3. Neither the name of the copyright holder nor the names of its contributors
  may be used to endorse or promote products derived from this software
  without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT OWNER OR CONTRIBUTORS BE LIABLE
FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/
/*! vega-interpreter
Copyright (c) 2015-2023, University of Washington Interactive Data Lab
All rights reserved.

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this
   list of conditions and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice,
   this list of conditions and the following disclaimer in the documentation
   and/or other materials provided with the distribution.

3. Neither the name of the copyright holder nor the names of its contributors
  may be used to endorse or promote products derived from this software
  without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT OWNER OR CONTRIBUTORS BE LIABLE
FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/
"use strict";(()=>{var iB=Object.defineProperty;var gr=(e,t)=>{for(var n in t)iB(e,n,{get:t[n],enumerable:!0})};var[aB,oB]=[window.requestAnimationFrame.bind(window),window.cancelAnimationFrame.bind(window)],G1=new Map;window.requestAnimationFrame=e=>{let t=r=>{window.cancelAnimationFrame(
n),e(r)},n=aB(t);return G1.set(n,setTimeout(()=>t(performance.now()),250)),n};window.cancelAnimationFrame=e=>{clearTimeout(G1.get(e)),G1.delete(e),oB(e)};var sB=4e6;
function B5(e){for(let i of["click","auxclick"])addEventListener(i,a=>a.composedPath().some(o=>o.localName==="a")&&a.preventDefault(),!0);let t=document.getElementById(
"chart"),n=i=>window.parent.parent.postMessage(i,"*");(async()=>{let i=await e(t,JSON.parse(document.getElementById("spec")?.textContent??"")),{width:a,height:o}=t.
getBoundingClientRect();n({height:Math.ceil(o)});let s=await i(Math.min(1,Math.sqrt(sB/Math.max(1,a*o))));n({picture:s.replace(/^data:image\/png;base64,/,"")})})().
catch(i=>n({fault:String(i).slice(0,300)}))}function pt(e,t,n){return Object.assign(e,{fields:t||[],fname:n})}function Ge(e){return e==null?null:e.fname}function At(e){return e==null?null:e.fields}function uc(e){return e.length===1?uB(e[0]):lB(e)}var uB=e=>function(t){return t[e]},lB=e=>{let t=e.length;return function(n){for(let r=0;r<t;++r)n=n[e[r]];return n}};function D(e){throw Error(e)}function xn(e){let t=[],n=e.length,r=null,i=0,a="",o,s,u;e=e+"";function l(){t.push(a+e.substring(o,s)),a="",o=s+1}for(o=s=0;s<n;++s)if(u=e[s],u==="\\")a+=e.substring(
o,s++),o=s;else if(u===r)l(),r=null,i=-1;else{if(r)continue;o===i&&u==='"'||o===i&&u==="'"?(o=s+1,r=u):u==="."&&!i?s>o?l():o=s+1:u==="["?(s>o&&l(),i=o=s+1):u===
"]"&&(i||D("Access path missing open bracket: "+e),i>0&&l(),i=0,o=s+1)}return i&&D("Access path missing closing bracket: "+e),r&&D("Access path missing closing \
quote: "+e),s>o&&(s++,l()),t}function gt(e,t,n){let r=xn(e),i=r.length===1?r[0]:e;return pt((n&&n.get||uc)(r),[i],t||i)}var wu=gt("id"),Et=pt(e=>e,[],"identity"),Br=pt(()=>0,[],"zero"),gi=pt(()=>1,[],"one"),_t=pt(()=>!0,[],"true"),Qi=pt(()=>!1,[],"false");var Au=new Set([...Object.getOwnPropertyNames(Object.prototype).filter(e=>typeof Object.prototype[e]=="function"),"__proto__","then"]);function cB(e,t,n){let r=[t,...n];console[e](...r)}var P5=0,hh=1,ph=2,I5=3,z5=4;function lc(e,t,n=cB){let r=e||P5;return{level(i){return arguments.length?(r=+i,
this):r},error(...i){return r>=hh&&n(t||"error","ERROR",i),this},warn(...i){return r>=ph&&n(t||"warn","WARN",i),this},info(...i){return r>=I5&&n(t||"log","INFO",
i),this},debug(...i){return r>=z5&&n(t||"log","DEBUG",i),this}}}var R=Array.isArray;function V(e){return e===Object(e)}var L5=e=>e!=="__proto__"&&e!=="constructor"&&e!=="prototype";function Eu(...e){return e.reduce((t,n)=>{for(let r in n)if(r==="signals")t.signals=fB(t.signals,n.
signals);else{let i=r==="legend"?{layout:1}:r==="style"?!0:null;Su(t,r,n[r],i)}return t},{})}function Su(e,t,n,r){if(!L5(t))return;let i=e,a,o;if(V(n)&&!R(n)){let s=n;
o=V(i[t])?i[t]:i[t]={};for(a in s)r&&(r===!0||r[a])?Su(o,a,s[a]):L5(a)&&(o[a]=s[a])}else i[t]=n}function fB(e,t){if(e==null)return t;if(t==null)return e;let n={},
r=[];function i(a){n[a.name]||(n[a.name]=1,r.push(a))}return t.forEach(i),e.forEach(i),r}function fe(e){return e[e.length-1]}function at(e){return e==null||e===""?null:+e}function U5(e){return e.length>0}var q5=e=>t=>e*Math.exp(t),j5=e=>t=>Math.log(e*t),W5=e=>t=>Math.sign(t)*Math.log1p(Math.abs(t/e)),G5=e=>t=>Math.sign(t)*Math.expm1(
Math.abs(t))*e,gh=e=>t=>t<0?-Math.pow(-t,e):Math.pow(t,e),H5=e=>at(e)??0,Y5=e=>e;function mh(e,t,n,r){U5(e)||D("Domain array must not be empty");let i=n(e[0]),a=n(
fe(e)),o=(a-i)*t;return[r(i-o),r(a-o)]}function H1(e,t){return mh(e,t,H5,Y5)}function Y1(e,t){let n=Math.sign(e[0]);return mh(e,t,j5(n),q5(n))}function V1(e,t,n){
return mh(e,t,gh(n),gh(1/n))}function X1(e,t,n){return mh(e,t,W5(n),G5(n))}function yh(e,t,n,r,i){U5(e)||D("Domain array must not be empty");let a=r(e[0]),o=r(fe(
e)),s=t!=null?r(t):(a+o)/2;return[i(s+(a-s)*n),i(s+(o-s)*n)]}function cc(e,t,n){return yh(e,t,n,H5,Y5)}function fc(e,t,n){let r=Math.sign(e[0]);return yh(e,t,n,
j5(r),q5(r))}function Cu(e,t,n,r){return yh(e,t,n,gh(r),gh(1/r))}function dc(e,t,n,r){return yh(e,t,n,W5(r),G5(r))}function K1(e){return 1+~~(new Date(e).getMonth()/3)}function Q1(e){return 1+~~(new Date(e).getUTCMonth()/3)}function H(e){return e!=null?R(e)?e:[e]:[]}function bh(e,t,n){let r=e[0],i=e[1],a;return i<r&&(a=i,i=r,r=a),a=i-r,a>=n-t?[t,n]:[r=Math.min(Math.max(r,t),n-a),r+a]}function ae(e){return typeof e=="function"}var dB="descending";function _u(e,t,n){let r=n||{},i=H(t)||[],a=[],o=[],s={},u=r.comparator||hB;return H(e).forEach((l,c)=>{if(l==null)return;a.push(i[c]===dB?-1:
1);let f=ae(l)?l:gt(l,void 0,r);o.push(f),(At(f)||[]).forEach(d=>s[d]=1)}),o.length===0?null:pt(u(o,a),Object.keys(s))}var Zi=(e,t)=>{let n=e,r=t;return(n<r||n==
null)&&r!=null?-1:(n>r||r==null)&&n!=null?1:(r=r instanceof Date?+r:r,(n=n instanceof Date?+n:n)!==n&&r===r?-1:r!==r&&n===n?1:0)},hB=(e,t)=>e.length===1?pB(e[0],
t[0]):gB(e,t,e.length),pB=(e,t)=>function(n,r){return Zi(e(n),e(r))*t},gB=(e,t,n)=>(t.push(0),function(r,i){let a,o=0,s=-1;for(;o===0&&++s<n;)a=e[s],o=Zi(a(r),a(
i));return o*t[s]});function Ke(e){return ae(e)?e:()=>e}function ku(e,t){let n=null;return r=>{n&&clearTimeout(n),n=setTimeout(()=>(t(r),n=null),e)}}function oe(e,...t){for(let n of t)for(let r in n)e[r]=n[r];return e}function on(e,t){let n=0,r,i,a,o;if(e&&(r=e.length))if(t==null){for(i=e[n];n<r&&(i==null||i!==i);i=e[++n]);for(a=o=i;n<r;++n)i=e[n],i!=null&&(i<a&&(a=i),i>o&&(o=
i))}else{for(i=t(e[n]);n<r&&(i==null||i!==i);i=t(e[++n]));for(a=o=i;n<r;++n)i=t(e[n]),i!=null&&(i<a&&(a=i),i>o&&(o=i))}return[a,o]}function xh(e,t){let n=e.length,r=-1,i,a,o,s,u;if(t==null){for(;++r<n;)if(s=e[r],s!=null&&s>=s){o=u=s;break}if(r===n)return[-1,-1];for(i=a=r;++r<n;)s=e[r],s!=null&&
(o>s&&(o=s,i=r),u<s&&(u=s,a=r))}else{for(;++r<n;)if(s=t(e[r],r,e),s!=null&&s>=s){o=u=s;break}if(r===n)return[-1,-1];for(i=a=r;++r<n;)s=t(e[r],r,e),s!=null&&(o>s&&
(o=s,i=r),u<s&&(u=s,a=r))}return[i,a]}function Y(e,t){return Object.hasOwn(e,t)}var vh={};function Ji(e){let t={},n;function r(a){return Y(t,a)&&t[a]!==vh}let i={size:0,empty:0,object:t,has:r,get(a){return r(a)?t[a]:void 0},set(a,o){return r(
a)||(++i.size,t[a]===vh&&--i.empty),t[a]=o,this},delete(a){return r(a)&&(--i.size,++i.empty,t[a]=vh),this},clear(){i.size=i.empty=0,i.object=t={}},test(a){return arguments.
length?(n=a,i):n},clean(){let a={},o=0;for(let s in t){let u=t[s];u!==vh&&(!n||!n(u))&&(a[s]=u,++o)}i.size=o,i.empty=0,i.object=t=a}};return e&&Object.keys(e).forEach(
a=>{i.set(a,e[a])}),i}function Z1(e,t,n,r,i,a){if(!n&&n!==0)return a;let o=+n,s=e[0],u=fe(e),l;if(u===void 0)return a;u<s&&(l=s,s=u,u=l),l=Math.abs(t-s);let c=Math.abs(u-t);return l<
c&&l<=o?r:c<=o?i:a}function z(e,t,n){let r=e.prototype=Object.create(t.prototype);return Object.defineProperty(r,"constructor",{value:e,writable:!0,enumerable:!0,configurable:!0}),
oe(r,n)}function ea(e,t,n,r){let i=t[0],a=t[t.length-1],o;return i>a&&(o=i,i=a,a=o),n=n===void 0||n,r=r===void 0||r,(n?i<=e:i<e)&&(r?e<=a:e<a)}function ta(e){return typeof e=="boolean"}function Jn(e){return Object.prototype.toString.call(e)==="[object Date]"}function wh(e){return e!=null&&ae(e[Symbol.iterator])}function we(e){return typeof e=="number"}function hc(e){return Object.prototype.toString.call(e)==="[object RegExp]"}function X(e){return typeof e=="string"}function Fu(e,t,n){let r=e?t?H(e).map(u=>u.replace(/\\(.)/g,"$1")):H(e):void 0,i=r?.length,a=n&&n.get||uc,o=u=>a(t?[u]:xn(u)),s;if(!i||!r)s=function(){return""};else if(i===
1){let u=o(r[0]);s=function(l){return""+u(l)}}else{let u=r.map(o);s=function(l){let c=""+u[0](l),f=0;for(;++f<i;)c+="|"+u[f](l);return c}}return pt(s,r,"key")}function J1(e,t){let n=e[0],r=fe(e),i=+t;return r===void 0?n:i?i===1?r:n+i*(r-n):n}var mB=1e4;function ey(e){e=+e||mB;let t,n,r,i=()=>{t={},n={},r=0},a=(o,s)=>(++r>e&&(n=t,t={},r=1),t[o]=s);return i(),{clear:i,has:o=>Y(t,o)||Y(n,o),get:o=>Y(t,
o)?t[o]:Y(n,o)?a(o,n[o]):void 0,set:(o,s)=>Y(t,o)?t[o]=s:a(o,s)}}function yB(e){return e===Array||typeof e=="function"&&e.prototype&&ArrayBuffer.isView(e.prototype)}function Ah(e,t,n,r){let i=t.length,a=n.length;if(!a)return t;
if(!i)return n;let o=t.constructor,s=r||(yB(o)?new o(i+a):new Array(i+a)),u=0,l=0,c=0;for(;u<i&&l<a;++c)s[c]=e(t[u],n[l])>0?n[l++]:t[u++];for(;u<i;++u,++c)s[c]=
t[u];for(;l<a;++l,++c)s[c]=n[l];return s}function ts(e,t){let n="";for(;--t>=0;)n+=e;return n}function Eh(e,t,n,r){let i=n||" ",a=e+"",o=t-a.length;return o<=0?a:r==="left"?ts(i,o)+a:r==="center"?ts(i,~~(o/2))+a+ts(i,Math.ceil(o/2)):a+ts(i,o)}function ns(e){return e&&fe(e)-e[0]||0}function I(e){return R(e)?`[${e.map(t=>t===null?"null":I(t))}]`:V(e)||X(e)?JSON.stringify(e).replaceAll("\u2028","\\u2028").replaceAll("\u2029","\\u2029"):e}function Mu(e){return e==null||e===""?null:!e||e==="false"||e==="0"?!1:!!e}var bB=e=>we(e)||Jn(e)?e:Date.parse(e);function Du(e,t){return t=t||bB,e==null||e===""?null:t(e)}function $u(e){return e==null||e===""?null:e+""}function mt(e){let t={},n=e.length;for(let r=0;r<n;++r)t[e[r]+""]=!0;return t}function Sh(e,t,n,r){let i=r??"\u2026",a=e+"",o=a.length,s=Math.max(0,t-i.length);return o<=t?a:n==="left"?i+a.slice(o-s):n==="center"?a.slice(0,Math.ceil(s/2))+
i+a.slice(o-~~(s/2)):a.slice(0,s)+i}function mi(e,t,n){if(e)if(t){let r=e.length;for(let i=0;i<r;++i){let a=t(e[i]);a&&n(a,i,e)}}else e.forEach(n)}var V5={},ty={},ny=34,pc=10,ry=13;function K5(e){return new Function("d","return {"+e.map(function(t,n){return JSON.stringify(t)+": d["+n+'] || ""'}).join(",")+
"}")}function xB(e,t){var n=K5(e);return function(r,i){return t(n(r),i,e)}}function X5(e){var t=Object.create(null),n=[];return e.forEach(function(r){for(var i in r)
i in t||n.push(t[i]=i)}),n}function Pn(e,t){var n=e+"",r=n.length;return r<t?new Array(t-r+1).join(0)+n:n}function vB(e){return e<0?"-"+Pn(-e,6):e>9999?"+"+Pn(e,
6):Pn(e,4)}function wB(e){var t=e.getUTCHours(),n=e.getUTCMinutes(),r=e.getUTCSeconds(),i=e.getUTCMilliseconds();return isNaN(e)?"Invalid Date":vB(e.getUTCFullYear())+
"-"+Pn(e.getUTCMonth()+1,2)+"-"+Pn(e.getUTCDate(),2)+(i?"T"+Pn(t,2)+":"+Pn(n,2)+":"+Pn(r,2)+"."+Pn(i,3)+"Z":r?"T"+Pn(t,2)+":"+Pn(n,2)+":"+Pn(r,2)+"Z":n||t?"T"+Pn(
t,2)+":"+Pn(n,2)+"Z":"")}function Ch(e){var t=new RegExp('["'+e+`
\r]`),n=e.charCodeAt(0);function r(f,d){var h,p,g=i(f,function(m,y){if(h)return h(m,y-1);p=m,h=d?xB(m,d):K5(m)});return g.columns=p||[],g}function i(f,d){var h=[],
p=f.length,g=0,m=0,y,b=p<=0,x=!1;f.charCodeAt(p-1)===pc&&--p,f.charCodeAt(p-1)===ry&&--p;function v(){if(b)return ty;if(x)return x=!1,V5;var E,A=g,S;if(f.charCodeAt(
A)===ny){for(;g++<p&&f.charCodeAt(g)!==ny||f.charCodeAt(++g)===ny;);return(E=g)>=p?b=!0:(S=f.charCodeAt(g++))===pc?x=!0:S===ry&&(x=!0,f.charCodeAt(g)===pc&&++g),
f.slice(A+1,E-1).replace(/""/g,'"')}for(;g<p;){if((S=f.charCodeAt(E=g++))===pc)x=!0;else if(S===ry)x=!0,f.charCodeAt(g)===pc&&++g;else if(S!==n)continue;return f.
slice(A,E)}return b=!0,f.slice(A,p)}for(;(y=v())!==ty;){for(var w=[];y!==V5&&y!==ty;)w.push(y),y=v();d&&(w=d(w,m++))==null||h.push(w)}return h}function a(f,d){return f.
map(function(h){return d.map(function(p){return c(h[p])}).join(e)})}function o(f,d){return d==null&&(d=X5(f)),[d.map(c).join(e)].concat(a(f,d)).join(`
`)}function s(f,d){return d==null&&(d=X5(f)),a(f,d).join(`
`)}function u(f){return f.map(l).join(`
`)}function l(f){return f.map(c).join(e)}function c(f){return f==null?"":f instanceof Date?wB(f):t.test(f+="")?'"'+f.replace(/"/g,'""')+'"':f}return{parse:r,parseRows:i,
format:o,formatBody:s,formatRows:u,formatRow:l,formatValue:c}}var rs=Ch(","),ige=rs.parse,age=rs.parseRows,oge=rs.format,sge=rs.formatBody,uge=rs.formatRows,lge=rs.
formatRow,cge=rs.formatValue,is=Ch("	"),fge=is.parse,dge=is.parseRows,hge=is.format,pge=is.formatBody,gge=is.formatRows,mge=is.formatRow,yge=is.formatValue;var bge=new Date("2019-01-01T00:00").getHours()||new Date("2019-07-01T00:00").getHours();function iy(e){return e}function _h(e){if(e==null)return iy;var t,n,r=e.scale[0],i=e.scale[1],a=e.translate[0],o=e.translate[1];return function(s,u){u||(t=n=0);var l=2,c=s.length,f=new Array(
c);for(f[0]=(t+=s[0])*r+a,f[1]=(n+=s[1])*i+o;l<c;)f[l]=s[l],++l;return f}}function Q5(e,t){for(var n,r=e.length,i=r-t;i<--r;)n=e[i],e[i++]=e[r],e[r]=n}function ay(e,t){return typeof t=="string"&&(t=e.objects[t]),t.type==="GeometryCollection"?{type:"FeatureCollection",features:t.geometries.map(function(n){return Z5(
e,n)})}:Z5(e,t)}function Z5(e,t){var n=t.id,r=t.bbox,i=t.properties==null?{}:t.properties,a=kh(e,t);return n==null&&r==null?{type:"Feature",properties:i,geometry:a}:
r==null?{type:"Feature",id:n,properties:i,geometry:a}:{type:"Feature",id:n,bbox:r,properties:i,geometry:a}}function kh(e,t){var n=_h(e.transform),r=e.arcs;function i(c,f){
f.length&&f.pop();for(var d=r[c<0?~c:c],h=0,p=d.length;h<p;++h)f.push(n(d[h],h));c<0&&Q5(f,p)}function a(c){return n(c)}function o(c){for(var f=[],d=0,h=c.length;d<
h;++d)i(c[d],f);return f.length<2&&f.push(f[0]),f}function s(c){for(var f=o(c);f.length<4;)f.push(f[0]);return f}function u(c){return c.map(s)}function l(c){var f=c.
type,d;switch(f){case"GeometryCollection":return{type:f,geometries:c.geometries.map(l)};case"Point":d=a(c.coordinates);break;case"MultiPoint":d=c.coordinates.map(
a);break;case"LineString":d=o(c.arcs);break;case"MultiLineString":d=c.arcs.map(o);break;case"Polygon":d=u(c.arcs);break;case"MultiPolygon":d=c.arcs.map(u);break;default:
return null}return{type:f,coordinates:d}}return l(t)}function oy(e,t){var n={},r={},i={},a=[],o=-1;t.forEach(function(l,c){var f=e.arcs[l<0?~l:l],d;f.length<3&&!f[1][0]&&!f[1][1]&&(d=t[++o],t[o]=l,t[c]=d)}),t.forEach(
function(l){var c=s(l),f=c[0],d=c[1],h,p;if(h=i[f])if(delete i[h.end],h.push(l),h.end=d,p=r[d]){delete r[p.start];var g=p===h?h:h.concat(p);r[g.start=h.start]=i[g.
end=p.end]=g}else r[h.start]=i[h.end]=h;else if(h=r[d])if(delete r[h.start],h.unshift(l),h.start=f,p=i[f]){delete i[p.end];var m=p===h?h:p.concat(h);r[m.start=p.
start]=i[m.end=h.end]=m}else r[h.start]=i[h.end]=h;else h=[l],r[h.start=f]=i[h.end=d]=h});function s(l){var c=e.arcs[l<0?~l:l],f=c[0],d;return e.transform?(d=[0,
0],c.forEach(function(h){d[0]+=h[0],d[1]+=h[1]})):d=c[c.length-1],l<0?[d,f]:[f,d]}function u(l,c){for(var f in l){var d=l[f];delete c[d.start],delete d.start,delete d.
end,d.forEach(function(h){n[h<0?~h:h]=1}),a.push(d)}}return u(i,r),u(r,i),t.forEach(function(l){n[l<0?~l:l]||a.push([l])}),a}function sy(e){return kh(e,J5.apply(this,arguments))}function J5(e,t,n){var r,i,a;if(arguments.length>1)r=AB(e,t,n);else for(i=0,r=new Array(a=e.arcs.length);i<
a;++i)r[i]=i;return{type:"MultiLineString",arcs:oy(e,r)}}function AB(e,t,n){var r=[],i=[],a;function o(f){var d=f<0?~f:f;(i[d]||(i[d]=[])).push({i:f,g:a})}function s(f){
f.forEach(o)}function u(f){f.forEach(s)}function l(f){f.forEach(u)}function c(f){switch(a=f,f.type){case"GeometryCollection":f.geometries.forEach(c);break;case"\
LineString":s(f.arcs);break;case"MultiLineString":case"Polygon":u(f.arcs);break;case"MultiPolygon":l(f.arcs);break}}return c(t),i.forEach(n==null?function(f){r.
push(f[0].i)}:function(f){n(f[0].g,f[f.length-1].g)&&r.push(f[0].i)}),r}function Pr(e,t){return e==null||t==null?NaN:e<t?-1:e>t?1:e>=t?0:NaN}function CB(e,t){return e==null||t==null?NaN:t<e?-1:t>e?1:t>=e?0:NaN}function Ka(e){let t,n,
r;e.length!==2?(t=Pr,n=(s,u)=>Pr(e(s),u),r=(s,u)=>e(s)-u):(t=e===Pr||e===CB?e:_B,n=e,r=e);function i(s,u,l=0,c=s.length){if(l<c){if(t(u,u)!==0)return c;do{let f=l+
c>>>1;n(s[f],u)<0?l=f+1:c=f}while(l<c)}return l}function a(s,u,l=0,c=s.length){if(l<c){if(t(u,u)!==0)return c;do{let f=l+c>>>1;n(s[f],u)<=0?l=f+1:c=f}while(l<c)}
return l}function o(s,u,l=0,c=s.length){let f=i(s,u,l,c-1);return f>l&&r(s[f-1],u)>-r(s[f],u)?f-1:f}return{left:i,center:o,right:a}}function _B(){return 0}function tS(e){
return e===null?NaN:+e}function*kB(e,t){if(t===void 0)for(let n of e)n!=null&&(n=+n)>=n&&(yield n);else{let n=-1;for(let r of e)(r=t(r,++n,e))!=null&&(r=+r)>=r&&
(yield r)}}var nS=Ka(Pr),yi=nS.right,uy=nS.left,ime=Ka(tS).center;var ame=rS(iS),ome=rS(FB);function rS(e){return function(t,n,r=n){if(!((n=+n)>=0))throw new RangeError("invalid rx");if(!((r=+r)>=0))throw new RangeError("inval\
id ry");let{data:i,width:a,height:o}=t;if(!((a=Math.floor(a))>=0))throw new RangeError("invalid width");if(!((o=Math.floor(o!==void 0?o:i.length/a))>=0))throw new RangeError(
"invalid height");if(!a||!o||!n&&!r)return t;let s=n&&e(n),u=r&&e(r),l=i.slice();return s&&u?(Tu(s,l,i,a,o),Tu(s,i,l,a,o),Tu(s,l,i,a,o),Ru(u,i,l,a,o),Ru(u,l,i,a,
o),Ru(u,i,l,a,o)):s?(Tu(s,i,l,a,o),Tu(s,l,i,a,o),Tu(s,i,l,a,o)):u&&(Ru(u,i,l,a,o),Ru(u,l,i,a,o),Ru(u,i,l,a,o)),t}}function Tu(e,t,n,r,i){for(let a=0,o=r*i;a<o;)
e(t,n,a,a+=r,1)}function Ru(e,t,n,r,i){for(let a=0,o=r*i;a<r;++a)e(t,n,a,a+o,r)}function FB(e){let t=iS(e);return(n,r,i,a,o)=>{i<<=2,a<<=2,o<<=2,t(n,r,i+0,a+0,o),
t(n,r,i+1,a+1,o),t(n,r,i+2,a+2,o),t(n,r,i+3,a+3,o)}}function iS(e){let t=Math.floor(e);if(t===e)return MB(e);let n=e-t,r=2*e+1;return(i,a,o,s,u)=>{if(!((s-=u)>=
o))return;let l=t*a[o],c=u*t,f=c+u;for(let d=o,h=o+c;d<h;d+=u)l+=a[Math.min(s,d)];for(let d=o,h=s;d<=h;d+=u)l+=a[Math.min(s,d+c)],i[d]=(l+n*(a[Math.max(o,d-f)]+
a[Math.min(s,d+f)]))/r,l-=a[Math.max(o,d-c)]}}function MB(e){let t=2*e+1;return(n,r,i,a,o)=>{if(!((a-=o)>=i))return;let s=e*r[i],u=o*e;for(let l=i,c=i+u;l<c;l+=
o)s+=r[Math.min(a,l)];for(let l=i,c=a;l<=c;l+=o)s+=r[Math.min(a,l+u)],n[l]=s/t,s-=r[Math.max(i,l-u)]}}function DB(e,t){let n=0,r,i=0,a=0;if(t===void 0)for(let o of e)o!=null&&(o=+o)>=o&&(r=o-i,i+=r/++n,a+=r*(o-i));else{let o=-1;for(let s of e)(s=t(s,++o,e))!=null&&
(s=+s)>=s&&(r=s-i,i+=r/++n,a+=r*(s-i))}if(n>1)return a/(n-1)}function aS(e,t){let n=DB(e,t);return n&&Math.sqrt(n)}var Nt=class{constructor(){this._partials=new Float64Array(32),this._n=0}add(t){let n=this._partials,r=0;for(let i=0;i<this._n&&i<32;i++){let a=n[i],o=t+a,s=Math.
abs(t)<Math.abs(a)?t-(o-a):a-(o-t);s&&(n[r++]=s),t=o}return n[r]=t,this._n=r+1,this}valueOf(){let t=this._partials,n=this._n,r,i,a,o=0;if(n>0){for(o=t[--n];n>0&&
(r=o,i=t[--n],o=r+i,a=i-(o-r),!a););n>0&&(a<0&&t[n-1]<0||a>0&&t[n-1]>0)&&(i=a*2,r=o+i,i==r-o&&(o=r))}return o}};var mc=class extends Map{constructor(t,n=RB){if(super(),Object.defineProperties(this,{_intern:{value:new Map},_key:{value:n}}),t!=null)for(let[r,i]of t)this.set(
r,i)}get(t){return super.get(eS(this,t))}has(t){return super.has(eS(this,t))}set(t,n){return super.set($B(this,t),n)}delete(t){return super.delete(TB(this,t))}};function eS({_intern:e,_key:t},n){let r=t(n);return e.has(r)?e.get(r):n}function $B({_intern:e,_key:t},n){let r=t(n);return e.has(r)?e.get(r):(e.set(r,n),n)}function TB({
_intern:e,_key:t},n){let r=t(n);return e.has(r)&&(n=e.get(r),e.delete(r)),n}function RB(e){return e!==null&&typeof e=="object"?e.valueOf():e}function oS(e,t){return Array.from(t,n=>e[n])}function OB(e=Pr){if(e===Pr)return sS;if(typeof e!="function")throw new TypeError("compare is not a function");return(t,n)=>{let r=e(t,n);return r||r===0?r:(e(n,
n)===0)-(e(t,t)===0)}}function sS(e,t){return(e==null||!(e>=e))-(t==null||!(t>=t))||(e<t?-1:e>t?1:0)}var NB=Array.prototype,sme=NB.slice;var BB=Math.sqrt(50),PB=Math.sqrt(10),IB=Math.sqrt(2);function Fh(e,t,n){let r=(t-e)/Math.max(0,n),i=Math.floor(Math.log10(r)),a=r/Math.pow(10,i),o=a>=BB?10:a>=
PB?5:a>=IB?2:1,s,u,l;return i<0?(l=Math.pow(10,-i)/o,s=Math.round(e*l),u=Math.round(t*l),s/l<e&&++s,u/l>t&&--u,l=-l):(l=Math.pow(10,i)*o,s=Math.round(e/l),u=Math.
round(t/l),s*l<e&&++s,u*l>t&&--u),u<s&&.5<=n&&n<2?Fh(e,t,n*2):[s,u,l]}function $h(e,t,n){if(t=+t,e=+e,n=+n,!(n>0))return[];if(e===t)return[e];let r=t<e,[i,a,o]=r?
Fh(t,e,n):Fh(e,t,n);if(!(a>=i))return[];let s=a-i+1,u=new Array(s);if(r)if(o<0)for(let l=0;l<s;++l)u[l]=(a-l)/-o;else for(let l=0;l<s;++l)u[l]=(a-l)*o;else if(o<
0)for(let l=0;l<s;++l)u[l]=(i+l)/-o;else for(let l=0;l<s;++l)u[l]=(i+l)*o;return u}function Mh(e,t,n){return t=+t,e=+e,n=+n,Fh(e,t,n)[2]}function sn(e,t,n){t=+t,
e=+e,n=+n;let r=t<e,i=r?Mh(t,e,n):Mh(e,t,n);return(r?-1:1)*(i<0?1/-i:i)}function na(e,t){let n;if(t===void 0)for(let r of e)r!=null&&(n<r||n===void 0&&r>=r)&&(n=r);else{let r=-1;for(let i of e)(i=t(i,++r,e))!=null&&(n<i||n===void 0&&
i>=i)&&(n=i)}return n}function Dh(e,t){let n;if(t===void 0)for(let r of e)r!=null&&(n>r||n===void 0&&r>=r)&&(n=r);else{let r=-1;for(let i of e)(i=t(i,++r,e))!=null&&(n>i||n===void 0&&
i>=i)&&(n=i)}return n}function uS(e,t,n=0,r=1/0,i){if(t=Math.floor(t),n=Math.floor(Math.max(0,n)),r=Math.floor(Math.min(e.length-1,r)),!(n<=t&&t<=r))return e;for(i=i===void 0?sS:OB(i);r>
n;){if(r-n>600){let u=r-n+1,l=t-n+1,c=Math.log(u),f=.5*Math.exp(2*c/3),d=.5*Math.sqrt(c*f*(u-f)/u)*(l-u/2<0?-1:1),h=Math.max(n,Math.floor(t-l*f/u+d)),p=Math.min(
r,Math.floor(t+(u-l)*f/u+d));uS(e,t,h,p,i)}let a=e[t],o=n,s=r;for(gc(e,n,t),i(e[r],a)>0&&gc(e,n,r);o<s;){for(gc(e,o,s),++o,--s;i(e[o],a)<0;)++o;for(;i(e[s],a)>0;)
--s}i(e[n],a)===0?gc(e,n,s):(++s,gc(e,s,r)),s<=t&&(n=s+1),t<=s&&(r=s-1)}return e}function gc(e,t,n){let r=e[t];e[t]=e[n],e[n]=r}function yc(e,t,n){if(e=Float64Array.from(kB(e,n)),!(!(r=e.length)||isNaN(t=+t))){if(t<=0||r<2)return Dh(e);if(t>=1)return na(e);var r,i=(r-1)*t,a=Math.floor(i),
o=na(uS(e,a).subarray(0,a+1)),s=Dh(e.subarray(a+1));return o+(s-o)*(i-a)}}function Th(e,t,n=tS){if(!(!(r=e.length)||isNaN(t=+t))){if(t<=0||r<2)return+n(e[0],0,e);
if(t>=1)return+n(e[r-1],r-1,e);var r,i=(r-1)*t,a=Math.floor(i),o=+n(e[a],a,e),s=+n(e[a+1],a+1,e);return o+(s-o)*(i-a)}}function lS(e,t){let n=0,r=0;if(t===void 0)for(let i of e)i!=null&&(i=+i)>=i&&(++n,r+=i);else{let i=-1;for(let a of e)(a=t(a,++i,e))!=null&&(a=+a)>=a&&(++n,r+=a)}
if(n)return r/n}function Rh(e,t){return yc(e,.5,t)}function*zB(e){for(let t of e)yield*t}function ly(e){return Array.from(zB(e))}function St(e,t,n){e=+e,t=+t,n=(i=arguments.length)<2?(t=e,e=0,1):i<3?1:+n;for(var r=-1,i=Math.max(0,Math.ceil((t-e)/n))|0,a=new Array(i);++r<i;)a[r]=e+r*n;return a}var ume=LB(Math.random);function LB(e){return function(n,r=0,i=n.length){let a=i-(r=+r);for(;a;){let o=e()*a--|0,s=n[a+r];n[a+r]=n[o+r],n[o+r]=s}return n}}function Oh(e,t){
let n=0;if(t===void 0)for(let r of e)(r=+r)&&(n+=r);else{let r=-1;for(let i of e)(i=+t(i,++r,e))&&(n+=i)}return n}function UB(e){return Math.abs(e=Math.round(e))>=1e21?e.toLocaleString("en").replace(/,/g,""):e.toString(10)}function Bh(e,t){if(!isFinite(e)||e===0)return null;
var n=(e=t?e.toExponential(t-1):e.toExponential()).indexOf("e"),r=e.slice(0,n);return[r.length>1?r[0]+r.slice(2):r,+e.slice(n+1)]}function Ou(e){return e=Bh(Math.
abs(e)),e?e[1]:NaN}function qB(e,t){return function(n,r){for(var i=n.length,a=[],o=0,s=e[0],u=0;i>0&&s>0&&(u+s+1>r&&(s=Math.max(1,r-u)),a.push(n.substring(i-=s,
i+s)),!((u+=s+1)>r));)s=e[o=(o+1)%e.length];return a.reverse().join(t)}}function jB(e){return function(t){return t.replace(/[0-9]/g,function(n){return e[+n]})}}
var WB=/^(?:(.)?([<>=^]))?([+\-( ])?([$#])?(0)?(\d+)?(,)?(\.\d+)?(~)?([a-z%])?$/i;function ra(e){if(!(t=WB.exec(e)))throw new Error("invalid format: "+e);var t;
return new cy({fill:t[1],align:t[2],sign:t[3],symbol:t[4],zero:t[5],width:t[6],comma:t[7],precision:t[8]&&t[8].slice(1),trim:t[9],type:t[10]})}ra.prototype=cy.prototype;
function cy(e){this.fill=e.fill===void 0?" ":e.fill+"",this.align=e.align===void 0?">":e.align+"",this.sign=e.sign===void 0?"-":e.sign+"",this.symbol=e.symbol===
void 0?"":e.symbol+"",this.zero=!!e.zero,this.width=e.width===void 0?void 0:+e.width,this.comma=!!e.comma,this.precision=e.precision===void 0?void 0:+e.precision,
this.trim=!!e.trim,this.type=e.type===void 0?"":e.type+""}cy.prototype.toString=function(){return this.fill+this.align+this.sign+this.symbol+(this.zero?"0":"")+
(this.width===void 0?"":Math.max(1,this.width|0))+(this.comma?",":"")+(this.precision===void 0?"":"."+Math.max(0,this.precision|0))+(this.trim?"~":"")+this.type};
function GB(e){e:for(var t=e.length,n=1,r=-1,i;n<t;++n)switch(e[n]){case".":r=i=n;break;case"0":r===0&&(r=n),i=n;break;default:if(!+e[n])break e;r>0&&(r=0);break}
return r>0?e.slice(0,r)+e.slice(i+1):e}var Ph;function HB(e,t){var n=Bh(e,t);if(!n)return Ph=void 0,e.toPrecision(t);var r=n[0],i=n[1],a=i-(Ph=Math.max(-8,Math.
min(8,Math.floor(i/3)))*3)+1,o=r.length;return a===o?r:a>o?r+new Array(a-o+1).join("0"):a>0?r.slice(0,a)+"."+r.slice(a):"0."+new Array(1-a).join("0")+Bh(e,Math.
max(0,t+a-1))[0]}function cS(e,t){var n=Bh(e,t);if(!n)return e+"";var r=n[0],i=n[1];return i<0?"0."+new Array(-i).join("0")+r:r.length>i+1?r.slice(0,i+1)+"."+r.
slice(i+1):r+new Array(i-r.length+2).join("0")}var fS={"%":(e,t)=>(e*100).toFixed(t),b:e=>Math.round(e).toString(2),c:e=>e+"",d:UB,e:(e,t)=>e.toExponential(t),f:(e,t)=>e.
toFixed(t),g:(e,t)=>e.toPrecision(t),o:e=>Math.round(e).toString(8),p:(e,t)=>cS(e*100,t),r:cS,s:HB,X:e=>Math.round(e).toString(16).toUpperCase(),x:e=>Math.round(
e).toString(16)};function dS(e){return e}var hS=Array.prototype.map,pS=["y","z","a","f","p","n","\xB5","m","","k","M","G","T","P","E","Z","Y"];function fy(e){var t=e.
grouping===void 0||e.thousands===void 0?dS:qB(hS.call(e.grouping,Number),e.thousands+""),n=e.currency===void 0?"":e.currency[0]+"",r=e.currency===void 0?"":e.currency[1]+
"",i=e.decimal===void 0?".":e.decimal+"",a=e.numerals===void 0?dS:jB(hS.call(e.numerals,String)),o=e.percent===void 0?"%":e.percent+"",s=e.minus===void 0?"\u2212":
e.minus+"",u=e.nan===void 0?"NaN":e.nan+"";function l(f,d){f=ra(f);var h=f.fill,p=f.align,g=f.sign,m=f.symbol,y=f.zero,b=f.width,x=f.comma,v=f.precision,w=f.trim,
E=f.type;E==="n"?(x=!0,E="g"):fS[E]||(v===void 0&&(v=12),w=!0,E="g"),(y||h==="0"&&p==="=")&&(y=!0,h="0",p="=");var A=(d&&d.prefix!==void 0?d.prefix:"")+(m==="$"?
n:m==="#"&&/[boxX]/.test(E)?"0"+E.toLowerCase():""),S=(m==="$"?r:/[%p]/.test(E)?o:"")+(d&&d.suffix!==void 0?d.suffix:""),C=fS[E],_=/[defgprs%]/.test(E);v=v===void 0?
6:/[gprs]/.test(E)?Math.max(1,Math.min(21,v)):Math.max(0,Math.min(20,v));function k(M){var $=A,O=S,F,P,Q;if(E==="c")O=C(M)+O,M="";else{M=+M;var J=M<0||1/M<0;if(M=
isNaN(M)?u:C(Math.abs(M),v),w&&(M=GB(M)),J&&+M==0&&g!=="+"&&(J=!1),$=(J?g==="("?g:s:g==="-"||g==="("?"":g)+$,O=(E==="s"&&!isNaN(M)&&Ph!==void 0?pS[8+Ph/3]:"")+O+
(J&&g==="("?")":""),_){for(F=-1,P=M.length;++F<P;)if(Q=M.charCodeAt(F),48>Q||Q>57){O=(Q===46?i+M.slice(F+1):M.slice(F))+O,M=M.slice(0,F);break}}}x&&!y&&(M=t(M,1/0));
var ie=$.length+M.length+O.length,me=ie<b?new Array(b-ie+1).join(h):"";switch(x&&y&&(M=t(me+M,me.length?b-O.length:1/0),me=""),p){case"<":M=$+M+O+me;break;case"\
=":M=$+me+M+O;break;case"^":M=me.slice(0,ie=me.length>>1)+$+M+O+me.slice(ie);break;default:M=me+$+M+O;break}return a(M)}return k.toString=function(){return f+""},
k}function c(f,d){var h=Math.max(-8,Math.min(8,Math.floor(Ou(d)/3)))*3,p=Math.pow(10,-h),g=l((f=ra(f),f.type="f",f),{suffix:pS[8+h/3]});return function(m){return g(
p*m)}}return{format:l,formatPrefix:c}}var Nh,Nu,bc;YB({thousands:",",grouping:[3],currency:["$",""]});function YB(e){return Nh=fy(e),Nu=Nh.format,bc=Nh.formatPrefix,
Nh}function Ih(e){return Math.max(0,-Ou(Math.abs(e)))}function zh(e,t){return Math.max(0,Math.max(-8,Math.min(8,Math.floor(Ou(t)/3)))*3-Ou(Math.abs(e)))}function Lh(e,t){
return e=Math.abs(e),t=Math.abs(t)-e,Math.max(0,Ou(t)-Ou(e))+1}var dy=new Date,hy=new Date;function kt(e,t,n,r){function i(a){return e(a=arguments.length===0?new Date:new Date(+a)),a}return i.floor=a=>(e(a=new Date(+a)),a),
i.ceil=a=>(e(a=new Date(a-1)),t(a,1),e(a),a),i.round=a=>{let o=i(a),s=i.ceil(a);return a-o<s-a?o:s},i.offset=(a,o)=>(t(a=new Date(+a),o==null?1:Math.floor(o)),a),
i.range=(a,o,s)=>{let u=[];if(a=i.ceil(a),s=s==null?1:Math.floor(s),!(a<o)||!(s>0))return u;let l;do u.push(l=new Date(+a)),t(a,s),e(a);while(l<a&&a<o);return u},
i.filter=a=>kt(o=>{if(o>=o)for(;e(o),!a(o);)o.setTime(o-1)},(o,s)=>{if(o>=o)if(s<0)for(;++s<=0;)for(;t(o,-1),!a(o););else for(;--s>=0;)for(;t(o,1),!a(o););}),n&&
(i.count=(a,o)=>(dy.setTime(+a),hy.setTime(+o),e(dy),e(hy),Math.floor(n(dy,hy))),i.every=a=>(a=Math.floor(a),!isFinite(a)||!(a>0)?null:a>1?i.filter(r?o=>r(o)%a===
0:o=>i.count(0,o)%a===0):i)),i}var Qa=kt(()=>{},(e,t)=>{e.setTime(+e+t)},(e,t)=>t-e);Qa.every=e=>(e=Math.floor(e),!isFinite(e)||!(e>0)?null:e>1?kt(t=>{t.setTime(
Math.floor(t/e)*e)},(t,n)=>{t.setTime(+t+n*e)},(t,n)=>(n-t)/e):Qa);var dme=Qa.range,ia=1e3,mr=ia*60,aa=mr*60,oa=aa*24,gy=oa*7,gS=oa*30,py=oa*365,er=kt(e=>{e.setTime(
e-e.getMilliseconds())},(e,t)=>{e.setTime(+e+t*ia)},(e,t)=>(t-e)/ia,e=>e.getUTCSeconds()),hme=er.range,Bu=kt(e=>{e.setTime(e-e.getMilliseconds()-e.getSeconds()*
ia)},(e,t)=>{e.setTime(+e+t*mr)},(e,t)=>(t-e)/mr,e=>e.getMinutes()),pme=Bu.range,Pu=kt(e=>{e.setUTCSeconds(0,0)},(e,t)=>{e.setTime(+e+t*mr)},(e,t)=>(t-e)/mr,e=>e.
getUTCMinutes()),gme=Pu.range,Iu=kt(e=>{e.setTime(e-e.getMilliseconds()-e.getSeconds()*ia-e.getMinutes()*mr)},(e,t)=>{e.setTime(+e+t*aa)},(e,t)=>(t-e)/aa,e=>e.getHours()),
mme=Iu.range,zu=kt(e=>{e.setUTCMinutes(0,0,0)},(e,t)=>{e.setTime(+e+t*aa)},(e,t)=>(t-e)/aa,e=>e.getUTCHours()),yme=zu.range,In=kt(e=>e.setHours(0,0,0,0),(e,t)=>e.
setDate(e.getDate()+t),(e,t)=>(t-e-(t.getTimezoneOffset()-e.getTimezoneOffset())*mr)/oa,e=>e.getDate()-1),bme=In.range,tr=kt(e=>{e.setUTCHours(0,0,0,0)},(e,t)=>{
e.setUTCDate(e.getUTCDate()+t)},(e,t)=>(t-e)/oa,e=>e.getUTCDate()-1),xme=tr.range,mS=kt(e=>{e.setUTCHours(0,0,0,0)},(e,t)=>{e.setUTCDate(e.getUTCDate()+t)},(e,t)=>(t-
e)/oa,e=>Math.floor(e/oa)),vme=mS.range;function as(e){return kt(t=>{t.setDate(t.getDate()-(t.getDay()+7-e)%7),t.setHours(0,0,0,0)},(t,n)=>{t.setDate(t.getDate()+
n*7)},(t,n)=>(n-t-(n.getTimezoneOffset()-t.getTimezoneOffset())*mr)/gy)}var sa=as(0),bi=as(1),VB=as(2),XB=as(3),os=as(4),KB=as(5),QB=as(6),wme=sa.range,Ame=bi.range,
Eme=VB.range,Sme=XB.range,Cme=os.range,_me=KB.range,kme=QB.range;function ss(e){return kt(t=>{t.setUTCDate(t.getUTCDate()-(t.getUTCDay()+7-e)%7),t.setUTCHours(0,
0,0,0)},(t,n)=>{t.setUTCDate(t.getUTCDate()+n*7)},(t,n)=>(n-t)/gy)}var ua=ss(0),xi=ss(1),ZB=ss(2),JB=ss(3),us=ss(4),eP=ss(5),tP=ss(6),Fme=ua.range,Mme=xi.range,
Dme=ZB.range,$me=JB.range,Tme=us.range,Rme=eP.range,Ome=tP.range,ls=kt(e=>{e.setDate(1),e.setHours(0,0,0,0)},(e,t)=>{e.setMonth(e.getMonth()+t)},(e,t)=>t.getMonth()-
e.getMonth()+(t.getFullYear()-e.getFullYear())*12,e=>e.getMonth()),Nme=ls.range,cs=kt(e=>{e.setUTCDate(1),e.setUTCHours(0,0,0,0)},(e,t)=>{e.setUTCMonth(e.getUTCMonth()+
t)},(e,t)=>t.getUTCMonth()-e.getUTCMonth()+(t.getUTCFullYear()-e.getUTCFullYear())*12,e=>e.getUTCMonth()),Bme=cs.range,nr=kt(e=>{e.setMonth(0,1),e.setHours(0,0,
0,0)},(e,t)=>{e.setFullYear(e.getFullYear()+t)},(e,t)=>t.getFullYear()-e.getFullYear(),e=>e.getFullYear());nr.every=e=>!isFinite(e=Math.floor(e))||!(e>0)?null:kt(
t=>{t.setFullYear(Math.floor(t.getFullYear()/e)*e),t.setMonth(0,1),t.setHours(0,0,0,0)},(t,n)=>{t.setFullYear(t.getFullYear()+n*e)});var Pme=nr.range,rr=kt(e=>{
e.setUTCMonth(0,1),e.setUTCHours(0,0,0,0)},(e,t)=>{e.setUTCFullYear(e.getUTCFullYear()+t)},(e,t)=>t.getUTCFullYear()-e.getUTCFullYear(),e=>e.getUTCFullYear());rr.
every=e=>!isFinite(e=Math.floor(e))||!(e>0)?null:kt(t=>{t.setUTCFullYear(Math.floor(t.getUTCFullYear()/e)*e),t.setUTCMonth(0,1),t.setUTCHours(0,0,0,0)},(t,n)=>{
t.setUTCFullYear(t.getUTCFullYear()+n*e)});var Ime=rr.range;function yS(e,t,n,r,i,a){let o=[[er,1,ia],[er,5,5*ia],[er,15,15*ia],[er,30,30*ia],[a,1,mr],[a,5,5*mr],
[a,15,15*mr],[a,30,30*mr],[i,1,aa],[i,3,3*aa],[i,6,6*aa],[i,12,12*aa],[r,1,oa],[r,2,2*oa],[n,1,gy],[t,1,gS],[t,3,3*gS],[e,1,py]];function s(l,c,f){let d=c<l;d&&
([l,c]=[c,l]);let h=f&&typeof f.range=="function"?f:u(l,c,f),p=h?h.range(l,+c+1):[];return d?p.reverse():p}function u(l,c,f){let d=Math.abs(c-l)/f,h=Ka(([,,m])=>m).
right(o,d);if(h===o.length)return e.every(sn(l/py,c/py,f));if(h===0)return Qa.every(Math.max(sn(l,c,f),1));let[p,g]=o[d/o[h-1][2]<o[h][2]/d?h-1:h];return p.every(
g)}return[s,u]}var[bS,xS]=yS(rr,cs,ua,mS,zu,Pu),[vS,wS]=yS(nr,ls,sa,In,Iu,Bu);var Ae="year",zn="quarter",Ne="month",yt="week",ot="isoweek",Qe="date",Ze="day",la="dayofyear",st="hours",tt="minutes",Vt="seconds",vn="milliseconds",Cy=[Ae,zn,
Ne,yt,ot,Qe,Ze,la,st,tt,Vt,vn],my=Cy.reduce((e,t,n)=>(e[t]=1+n,e),{});function _y(e){let t=H(e).slice(),n={};return t.length||D("Missing time unit."),t.forEach(
i=>{Y(my,i)?n[i]=1:D(`Invalid time unit: ${i}.`)}),((n[yt]||n[ot]||n[Ze]?1:0)+(n[zn]||n[Ne]||n[Qe]?1:0)+(n[la]?1:0)>1||n[yt]&&n[ot])&&D(`Incompatible time units\
: ${e}`),t.sort((i,a)=>my[i]-my[a]),t}var nP={[Ae]:"%Y ",[zn]:"Q%q ",[Ne]:"%b ",[Qe]:"%d ",[yt]:"W%U ",[ot]:"W%V ",[Ze]:"%a ",[la]:"%j ",[st]:"%H:00",[tt]:"00:%\
M",[Vt]:":%S",[vn]:".%L",[`${Ae}-${ot}`]:"%G W%V ",[`${Ae}-${Ne}`]:"%Y-%m ",[`${Ae}-${Ne}-${Qe}`]:"%Y-%m-%d ",[`${st}-${tt}`]:"%H:%M"};function SS(e,t){let n=oe(
{},nP,t),r=_y(e),i=r.length,a="",o=0,s,u;for(o=0;o<i;)for(s=r.length;s>o;--s)if(u=r.slice(o,s).join("-"),n[u]!=null){a+=n[u],o=s;break}return a.trim()}var fs=new Date;
function Uh(e){return fs.setFullYear(e),fs.setMonth(0),fs.setDate(1),fs.setHours(0,0,0,0),fs}function CS(e){return FS(new Date(e))}function _S(e){return by(new Date(
e))}function kS(e){return xy(new Date(e))}function FS(e){return In.count(Uh(e.getFullYear())-1,e)}function by(e){return sa.count(Uh(e.getFullYear())-1,e)}function MS(e){
return In.offset(bi.floor(e),3).getFullYear()}function xy(e){return 1+bi.count(DS(MS(e)),e)}function DS(e){return bi.floor(In.offset(Uh(e),3))}function $S(e){let t=DS(
e);return t.getMonth()?t.getDate()-31:t.getDate()}function vy(e){return Uh(e).getDay()}function rP(e,t,n,r,i,a,o){if(0<=e&&e<100){let s=new Date(-1,t,n,r,i,a,o);
return s.setFullYear(e),s}return new Date(e,t,n,r,i,a,o)}function TS(e){return NS(new Date(e))}function RS(e){return wy(new Date(e))}function OS(e){return Ay(new Date(
e))}function NS(e){let t=Date.UTC(e.getUTCFullYear(),0,1);return tr.count(t-1,e)}function wy(e){let t=Date.UTC(e.getUTCFullYear(),0,1);return ua.count(t-1,e)}function BS(e){
return tr.offset(xi.floor(e),3).getUTCFullYear()}function Ay(e){return 1+xi.count(PS(BS(e)),e)}function PS(e){return xi.floor(tr.offset(Date.UTC(e,0,1),3))}function IS(e){
let t=PS(e);return t.getUTCMonth()?t.getUTCDate()-31:t.getUTCDate()}function Ey(e){return fs.setTime(Date.UTC(e,0,1)),fs.getUTCDay()}function iP(e,t,n,r,i,a,o){
if(0<=e&&e<100){let s=new Date(Date.UTC(-1,t,n,r,i,a,o));return s.setUTCFullYear(n.y),s}return new Date(Date.UTC(e,t,n,r,i,a,o))}var aP=2012,oP=2015;function zS(e,t,n,r,i){
let a=t||1,o=fe(e),s=(y,b,x)=>(x=x||y,sP(n[x],r[x],y===o&&a,b)),u=new Date,l=mt(e),c=l[Ae]?s(Ae,null,l[ot]?Ae+ot:Ae):Ke(l[ot]?oP:aP),f=l[Ne]?s(Ne):l[zn]?s(zn):Br,
d=l[yt]&&l[Ze]?s(Ze,1,yt+Ze):l[ot]&&l[Ze]?s(Ze,1,ot+Ze):l[yt]?s(yt,1):l[ot]?s(ot,1):l[Ze]?s(Ze,1):l[Qe]?s(Qe,1):l[la]?s(la,1):gi,h=l[st]?s(st):Br,p=l[tt]?s(tt):
Br,g=l[Vt]?s(Vt):Br,m=l[vn]?s(vn):Br;return function(y){u.setTime(+y);let b=c(u);return i(b,f(u),d(u,b),h(u),p(u),g(u),m(u))}}function sP(e,t,n,r){let i=n<=1?e:
r?(a,o)=>r+n*Math.floor((e(a,o)-r)/n):(a,o)=>n*Math.floor(e(a,o)/n);return t?(a,o)=>t(i(a,o),o):i}function Lu(e,t,n){return t+e*7-(n+6)%7}function LS(e){return(e+
6)%7}function qh(e,t,n){return e+(t-1)*7+n}var uP={[Ae]:e=>e.getFullYear(),[zn]:e=>Math.floor(e.getMonth()/3),[Ne]:e=>e.getMonth(),[Qe]:e=>e.getDate(),[st]:e=>e.
getHours(),[tt]:e=>e.getMinutes(),[Vt]:e=>e.getSeconds(),[vn]:e=>e.getMilliseconds(),[la]:e=>FS(e),[yt]:e=>by(e),[yt+Ze]:(e,t)=>Lu(by(e),e.getDay(),vy(t)),[Ze]:(e,t)=>Lu(
1,e.getDay(),vy(t)),[ot]:e=>xy(e),[Ae+ot]:e=>MS(e),[ot+Ze]:(e,t)=>qh($S(t),xy(e),LS(e.getDay()))},lP={[zn]:e=>3*e,[yt]:(e,t)=>Lu(e,0,vy(t)),[ot]:(e,t)=>qh($S(t),
e,0)};function US(e,t){return zS(e,t||1,uP,lP,rP)}var cP={[Ae]:e=>e.getUTCFullYear(),[zn]:e=>Math.floor(e.getUTCMonth()/3),[Ne]:e=>e.getUTCMonth(),[Qe]:e=>e.getUTCDate(),
[st]:e=>e.getUTCHours(),[tt]:e=>e.getUTCMinutes(),[Vt]:e=>e.getUTCSeconds(),[vn]:e=>e.getUTCMilliseconds(),[la]:e=>NS(e),[yt]:e=>wy(e),[Ze]:(e,t)=>Lu(1,e.getUTCDay(),
Ey(t)),[yt+Ze]:(e,t)=>Lu(wy(e),e.getUTCDay(),Ey(t)),[ot]:e=>Ay(e),[Ae+ot]:e=>BS(e),[ot+Ze]:(e,t)=>qh(IS(t),Ay(e),LS(e.getUTCDay()))},fP={[zn]:e=>3*e,[yt]:(e,t)=>Lu(
e,0,Ey(t)),[ot]:(e,t)=>qh(IS(t),e,0)};function qS(e,t){return zS(e,t||1,cP,fP,iP)}var dP={[Ae]:nr,[zn]:ls.every(3),[Ne]:ls,[yt]:sa,[ot]:bi,[Qe]:In,[Ze]:In,[la]:In,
[st]:Iu,[tt]:Bu,[Vt]:er,[vn]:Qa},hP={[Ae]:rr,[zn]:cs.every(3),[Ne]:cs,[yt]:ua,[ot]:xi,[Qe]:tr,[Ze]:tr,[la]:tr,[st]:zu,[tt]:Pu,[Vt]:er,[vn]:Qa};function Za(e){return dP[e]}
function Ja(e){return hP[e]}function jS(e,t,n){return e?e.offset(t,n):void 0}function WS(e,t,n){return jS(Za(e),t,n)}function GS(e,t,n){return jS(Ja(e),t,n)}function HS(e,t,n,r){
return e?e.range(t,n,r):void 0}function YS(e,t,n,r){return HS(Za(e),t,n,r)}function VS(e,t,n,r){return HS(Ja(e),t,n,r)}var vc=1e3,wc=vc*60,Ac=wc*60,jh=Ac*24,pP=jh*
7,AS=jh*30,Sy=jh*365,XS=[Ae,Ne,Qe,st,tt,Vt,vn],Ec=XS.slice(0,-1),Sc=Ec.slice(0,-1),Cc=Sc.slice(0,-1),gP=Cc.slice(0,-1),mP=[Ae,yt],ES=[Ae,Ne],KS=[Ae],xc=[[Ec,1,vc],
[Ec,5,5*vc],[Ec,15,15*vc],[Ec,30,30*vc],[Sc,1,wc],[Sc,5,5*wc],[Sc,15,15*wc],[Sc,30,30*wc],[Cc,1,Ac],[Cc,3,3*Ac],[Cc,6,6*Ac],[Cc,12,12*Ac],[gP,1,jh],[mP,1,pP],[ES,
1,AS],[ES,3,3*AS],[KS,1,Sy]];function QS(e){let t=e.extent,n=e.maxbins||40,r=Math.abs(ns(t))/n,i=Ka(s=>s[2]).right(xc,r),a,o;return i===xc.length?(a=KS,o=sn(t[0]/
Sy,t[1]/Sy,n)):i?(i=xc[r/xc[i-1][2]<xc[i][2]/r?i-1:i],a=i[0],o=i[1]):(a=XS,o=Math.max(sn(t[0],t[1],n),1)),{units:a,step:o}}var yP={[Ae]:e=>e.getFullYear(),[Ne]:e=>e.
getMonth(),[Qe]:e=>e.getDate(),[Ze]:e=>e.getDay(),[st]:e=>e.getHours(),[tt]:e=>e.getMinutes(),[Vt]:e=>e.getSeconds(),[vn]:e=>e.getMilliseconds()},bP={[Ae]:e=>e.
getUTCFullYear(),[Ne]:e=>e.getUTCMonth(),[Qe]:e=>e.getUTCDate(),[Ze]:e=>e.getUTCDay(),[st]:e=>e.getUTCHours(),[tt]:e=>e.getUTCMinutes(),[Vt]:e=>e.getUTCSeconds(),
[vn]:e=>e.getUTCMilliseconds()},yy=[{units:[Ae,Ne,Qe,st,tt,Vt,vn],step:1,aligned:()=>!0},{units:[Ae,Ne,Qe,st,tt,Vt],step:1,aligned:(e,t)=>e.every(n=>t[vn](n)===
0)},{units:[Ae,Ne,Qe,st,tt],step:1,aligned:(e,t)=>e.every(n=>t[Vt](n)===0)},{units:[Ae,Ne,Qe,st,tt],step:5,aligned:(e,t)=>e.every(n=>t[tt](n)%5===0)},{units:[Ae,
Ne,Qe,st,tt],step:10,aligned:(e,t)=>e.every(n=>t[tt](n)%10===0)},{units:[Ae,Ne,Qe,st],step:1,aligned:(e,t)=>e.every(n=>t[tt](n)===0)},{units:[Ae,Ne,Qe],step:1,aligned:(e,t)=>e.
every(n=>t[st](n)===0)},{units:[Ae,yt],step:1,skippable:!0,aligned:(e,t)=>new Set(e.map(n=>t[Ze](n))).size===1},{units:[Ae,Ne],step:1,aligned:(e,t)=>e.every(n=>t[Qe](
n)===1)},{units:[Ae,Ne],step:3,aligned:(e,t)=>e.every(n=>t[Ne](n)%3===0)},{units:[Ae],step:1,aligned:(e,t)=>e.every(n=>t[Ne](n)===0)},{units:[Ae],step:10,aligned:(e,t)=>e.
every(n=>t[Ae](n)%10===0)},{aligned:()=>!1}];function ZS(e,t,n){let r=n?bP:yP,i=e.map(c=>{let f=t(c),d=new Date(f);return Number.isNaN(+d)&&D(`Invalid date: ${f}`),
d}),a=yy.findIndex(c=>!c.aligned(i,r)),o=yy.findIndex(c=>!c.skippable&&!c.aligned(i,r)),s=o>a+1?o:a,{units:u,step:l}=yy[s-1];return{units:u,step:l}}function ky(e){if(0<=e.y&&e.y<100){var t=new Date(-1,e.m,e.d,e.H,e.M,e.S,e.L);return t.setFullYear(e.y),t}return new Date(e.y,e.m,e.d,e.H,e.M,e.S,e.L)}function Fy(e){
if(0<=e.y&&e.y<100){var t=new Date(Date.UTC(-1,e.m,e.d,e.H,e.M,e.S,e.L));return t.setUTCFullYear(e.y),t}return new Date(Date.UTC(e.y,e.m,e.d,e.H,e.M,e.S,e.L))}function _c(e,t,n){
return{y:e,m:t,d:n,H:0,M:0,S:0,L:0}}function My(e){var t=e.dateTime,n=e.date,r=e.time,i=e.periods,a=e.days,o=e.shortDays,s=e.months,u=e.shortMonths,l=kc(i),c=Fc(
i),f=kc(a),d=Fc(a),h=kc(o),p=Fc(o),g=kc(s),m=Fc(s),y=kc(u),b=Fc(u),x={a:Q,A:J,b:ie,B:me,c:null,d:iC,e:iC,f:UP,g:QP,G:JP,H:IP,I:zP,j:LP,L:lC,m:qP,M:jP,p:dt,q:Ht,
Q:sC,s:uC,S:WP,u:GP,U:HP,V:YP,w:VP,W:XP,x:null,X:null,y:KP,Y:ZP,Z:eI,"%":oC},v={a:Rt,A:Zn,b:ht,B:pi,c:null,d:aC,e:aC,f:iI,g:pI,G:mI,H:tI,I:nI,j:rI,L:fC,m:aI,M:oI,
p:es,q:Xa,Q:sC,s:uC,S:sI,u:uI,U:lI,V:cI,w:fI,W:dI,x:null,X:null,y:hI,Y:gI,Z:yI,"%":oC},w={a:_,A:k,b:M,B:$,c:O,d:nC,e:nC,f:OP,g:tC,G:eC,H:rC,I:rC,j:DP,L:RP,m:MP,
M:$P,p:C,q:FP,Q:BP,s:PP,S:TP,u:EP,U:SP,V:CP,w:AP,W:_P,x:F,X:P,y:tC,Y:eC,Z:kP,"%":NP};x.x=E(n,x),x.X=E(r,x),x.c=E(t,x),v.x=E(n,v),v.X=E(r,v),v.c=E(t,v);function E(Z,ge){
return function(xe){var G=[],Yt=-1,Oe=0,Ot=Z.length,an,Ki,N5;for(xe instanceof Date||(xe=new Date(+xe));++Yt<Ot;)Z.charCodeAt(Yt)===37&&(G.push(Z.slice(Oe,Yt)),
(Ki=JS[an=Z.charAt(++Yt)])!=null?an=Z.charAt(++Yt):Ki=an==="e"?" ":"0",(N5=ge[an])&&(an=N5(xe,Ki)),G.push(an),Oe=Yt+1);return G.push(Z.slice(Oe,Yt)),G.join("")}}
function A(Z,ge){return function(xe){var G=_c(1900,void 0,1),Yt=S(G,Z,xe+="",0),Oe,Ot;if(Yt!=xe.length)return null;if("Q"in G)return new Date(G.Q);if("s"in G)return new Date(
G.s*1e3+("L"in G?G.L:0));if(ge&&!("Z"in G)&&(G.Z=0),"p"in G&&(G.H=G.H%12+G.p*12),G.m===void 0&&(G.m="q"in G?G.q:0),"V"in G){if(G.V<1||G.V>53)return null;"w"in G||
(G.w=1),"Z"in G?(Oe=Fy(_c(G.y,0,1)),Ot=Oe.getUTCDay(),Oe=Ot>4||Ot===0?xi.ceil(Oe):xi(Oe),Oe=tr.offset(Oe,(G.V-1)*7),G.y=Oe.getUTCFullYear(),G.m=Oe.getUTCMonth(),
G.d=Oe.getUTCDate()+(G.w+6)%7):(Oe=ky(_c(G.y,0,1)),Ot=Oe.getDay(),Oe=Ot>4||Ot===0?bi.ceil(Oe):bi(Oe),Oe=In.offset(Oe,(G.V-1)*7),G.y=Oe.getFullYear(),G.m=Oe.getMonth(),
G.d=Oe.getDate()+(G.w+6)%7)}else("W"in G||"U"in G)&&("w"in G||(G.w="u"in G?G.u%7:"W"in G?1:0),Ot="Z"in G?Fy(_c(G.y,0,1)).getUTCDay():ky(_c(G.y,0,1)).getDay(),G.
m=0,G.d="W"in G?(G.w+6)%7+G.W*7-(Ot+5)%7:G.w+G.U*7-(Ot+6)%7);return"Z"in G?(G.H+=G.Z/100|0,G.M+=G.Z%100,Fy(G)):ky(G)}}function S(Z,ge,xe,G){for(var Yt=0,Oe=ge.length,
Ot=xe.length,an,Ki;Yt<Oe;){if(G>=Ot)return-1;if(an=ge.charCodeAt(Yt++),an===37){if(an=ge.charAt(Yt++),Ki=w[an in JS?ge.charAt(Yt++):an],!Ki||(G=Ki(Z,xe,G))<0)return-1}else if(an!=
xe.charCodeAt(G++))return-1}return G}function C(Z,ge,xe){var G=l.exec(ge.slice(xe));return G?(Z.p=c.get(G[0].toLowerCase()),xe+G[0].length):-1}function _(Z,ge,xe){
var G=h.exec(ge.slice(xe));return G?(Z.w=p.get(G[0].toLowerCase()),xe+G[0].length):-1}function k(Z,ge,xe){var G=f.exec(ge.slice(xe));return G?(Z.w=d.get(G[0].toLowerCase()),
xe+G[0].length):-1}function M(Z,ge,xe){var G=y.exec(ge.slice(xe));return G?(Z.m=b.get(G[0].toLowerCase()),xe+G[0].length):-1}function $(Z,ge,xe){var G=g.exec(ge.
slice(xe));return G?(Z.m=m.get(G[0].toLowerCase()),xe+G[0].length):-1}function O(Z,ge,xe){return S(Z,t,ge,xe)}function F(Z,ge,xe){return S(Z,n,ge,xe)}function P(Z,ge,xe){
return S(Z,r,ge,xe)}function Q(Z){return o[Z.getDay()]}function J(Z){return a[Z.getDay()]}function ie(Z){return u[Z.getMonth()]}function me(Z){return s[Z.getMonth()]}
function dt(Z){return i[+(Z.getHours()>=12)]}function Ht(Z){return 1+~~(Z.getMonth()/3)}function Rt(Z){return o[Z.getUTCDay()]}function Zn(Z){return a[Z.getUTCDay()]}
function ht(Z){return u[Z.getUTCMonth()]}function pi(Z){return s[Z.getUTCMonth()]}function es(Z){return i[+(Z.getUTCHours()>=12)]}function Xa(Z){return 1+~~(Z.getUTCMonth()/
3)}return{format:function(Z){var ge=E(Z+="",x);return ge.toString=function(){return Z},ge},parse:function(Z){var ge=A(Z+="",!1);return ge.toString=function(){return Z},
ge},utcFormat:function(Z){var ge=E(Z+="",v);return ge.toString=function(){return Z},ge},utcParse:function(Z){var ge=A(Z+="",!0);return ge.toString=function(){return Z},
ge}}}var JS={"-":"",_:" ",0:"0"},Bt=/^\s*\d+/,xP=/^%/,vP=/[\\^$*+?|[\]().{}]/g;function Fe(e,t,n){var r=e<0?"-":"",i=(r?-e:e)+"",a=i.length;return r+(a<n?new Array(
n-a+1).join(t)+i:i)}function wP(e){return e.replace(vP,"\\$&")}function kc(e){return new RegExp("^(?:"+e.map(wP).join("|")+")","i")}function Fc(e){return new Map(
e.map((t,n)=>[t.toLowerCase(),n]))}function AP(e,t,n){var r=Bt.exec(t.slice(n,n+1));return r?(e.w=+r[0],n+r[0].length):-1}function EP(e,t,n){var r=Bt.exec(t.slice(
n,n+1));return r?(e.u=+r[0],n+r[0].length):-1}function SP(e,t,n){var r=Bt.exec(t.slice(n,n+2));return r?(e.U=+r[0],n+r[0].length):-1}function CP(e,t,n){var r=Bt.
exec(t.slice(n,n+2));return r?(e.V=+r[0],n+r[0].length):-1}function _P(e,t,n){var r=Bt.exec(t.slice(n,n+2));return r?(e.W=+r[0],n+r[0].length):-1}function eC(e,t,n){
var r=Bt.exec(t.slice(n,n+4));return r?(e.y=+r[0],n+r[0].length):-1}function tC(e,t,n){var r=Bt.exec(t.slice(n,n+2));return r?(e.y=+r[0]+(+r[0]>68?1900:2e3),n+r[0].
length):-1}function kP(e,t,n){var r=/^(Z)|([+-]\d\d)(?::?(\d\d))?/.exec(t.slice(n,n+6));return r?(e.Z=r[1]?0:-(r[2]+(r[3]||"00")),n+r[0].length):-1}function FP(e,t,n){
var r=Bt.exec(t.slice(n,n+1));return r?(e.q=r[0]*3-3,n+r[0].length):-1}function MP(e,t,n){var r=Bt.exec(t.slice(n,n+2));return r?(e.m=r[0]-1,n+r[0].length):-1}function nC(e,t,n){
var r=Bt.exec(t.slice(n,n+2));return r?(e.d=+r[0],n+r[0].length):-1}function DP(e,t,n){var r=Bt.exec(t.slice(n,n+3));return r?(e.m=0,e.d=+r[0],n+r[0].length):-1}
function rC(e,t,n){var r=Bt.exec(t.slice(n,n+2));return r?(e.H=+r[0],n+r[0].length):-1}function $P(e,t,n){var r=Bt.exec(t.slice(n,n+2));return r?(e.M=+r[0],n+r[0].
length):-1}function TP(e,t,n){var r=Bt.exec(t.slice(n,n+2));return r?(e.S=+r[0],n+r[0].length):-1}function RP(e,t,n){var r=Bt.exec(t.slice(n,n+3));return r?(e.L=
+r[0],n+r[0].length):-1}function OP(e,t,n){var r=Bt.exec(t.slice(n,n+6));return r?(e.L=Math.floor(r[0]/1e3),n+r[0].length):-1}function NP(e,t,n){var r=xP.exec(t.
slice(n,n+1));return r?n+r[0].length:-1}function BP(e,t,n){var r=Bt.exec(t.slice(n));return r?(e.Q=+r[0],n+r[0].length):-1}function PP(e,t,n){var r=Bt.exec(t.slice(
n));return r?(e.s=+r[0],n+r[0].length):-1}function iC(e,t){return Fe(e.getDate(),t,2)}function IP(e,t){return Fe(e.getHours(),t,2)}function zP(e,t){return Fe(e.
getHours()%12||12,t,2)}function LP(e,t){return Fe(1+In.count(nr(e),e),t,3)}function lC(e,t){return Fe(e.getMilliseconds(),t,3)}function UP(e,t){return lC(e,t)+"\
000"}function qP(e,t){return Fe(e.getMonth()+1,t,2)}function jP(e,t){return Fe(e.getMinutes(),t,2)}function WP(e,t){return Fe(e.getSeconds(),t,2)}function GP(e){
var t=e.getDay();return t===0?7:t}function HP(e,t){return Fe(sa.count(nr(e)-1,e),t,2)}function cC(e){var t=e.getDay();return t>=4||t===0?os(e):os.ceil(e)}function YP(e,t){
return e=cC(e),Fe(os.count(nr(e),e)+(nr(e).getDay()===4),t,2)}function VP(e){return e.getDay()}function XP(e,t){return Fe(bi.count(nr(e)-1,e),t,2)}function KP(e,t){
return Fe(e.getFullYear()%100,t,2)}function QP(e,t){return e=cC(e),Fe(e.getFullYear()%100,t,2)}function ZP(e,t){return Fe(e.getFullYear()%1e4,t,4)}function JP(e,t){
var n=e.getDay();return e=n>=4||n===0?os(e):os.ceil(e),Fe(e.getFullYear()%1e4,t,4)}function eI(e){var t=e.getTimezoneOffset();return(t>0?"-":(t*=-1,"+"))+Fe(t/60|
0,"0",2)+Fe(t%60,"0",2)}function aC(e,t){return Fe(e.getUTCDate(),t,2)}function tI(e,t){return Fe(e.getUTCHours(),t,2)}function nI(e,t){return Fe(e.getUTCHours()%
12||12,t,2)}function rI(e,t){return Fe(1+tr.count(rr(e),e),t,3)}function fC(e,t){return Fe(e.getUTCMilliseconds(),t,3)}function iI(e,t){return fC(e,t)+"000"}function aI(e,t){
return Fe(e.getUTCMonth()+1,t,2)}function oI(e,t){return Fe(e.getUTCMinutes(),t,2)}function sI(e,t){return Fe(e.getUTCSeconds(),t,2)}function uI(e){var t=e.getUTCDay();
return t===0?7:t}function lI(e,t){return Fe(ua.count(rr(e)-1,e),t,2)}function dC(e){var t=e.getUTCDay();return t>=4||t===0?us(e):us.ceil(e)}function cI(e,t){return e=
dC(e),Fe(us.count(rr(e),e)+(rr(e).getUTCDay()===4),t,2)}function fI(e){return e.getUTCDay()}function dI(e,t){return Fe(xi.count(rr(e)-1,e),t,2)}function hI(e,t){
return Fe(e.getUTCFullYear()%100,t,2)}function pI(e,t){return e=dC(e),Fe(e.getUTCFullYear()%100,t,2)}function gI(e,t){return Fe(e.getUTCFullYear()%1e4,t,4)}function mI(e,t){
var n=e.getUTCDay();return e=n>=4||n===0?us(e):us.ceil(e),Fe(e.getUTCFullYear()%1e4,t,4)}function yI(){return"+0000"}function oC(){return"%"}function sC(e){return+e}
function uC(e){return Math.floor(+e/1e3)}var Uu,Mc,Dy,qu,Wh;bI({dateTime:"%x, %X",date:"%-m/%-d/%Y",time:"%-I:%M:%S %p",periods:["AM","PM"],days:["Sunday","Mond\
ay","Tuesday","Wednesday","Thursday","Friday","Saturday"],shortDays:["Sun","Mon","Tue","Wed","Thu","Fri","Sat"],months:["January","February","March","April","Ma\
y","June","July","August","September","October","November","December"],shortMonths:["Jan","Feb","Mar","Apr","May","Jun","Jul","Aug","Sep","Oct","Nov","Dec"]});function bI(e){
return Uu=My(e),Mc=Uu.format,Dy=Uu.parse,qu=Uu.utcFormat,Wh=Uu.utcParse,Uu}var hC="%Y-%m-%dT%H:%M:%S.%LZ";function xI(e){return e.toISOString()}var Gme=Date.prototype.
toISOString?xI:qu(hC);function vI(e){var t=new Date(e);return isNaN(t)?null:t}var Hme=+new Date("2000-01-01T00:00:00.000Z")?vI:Wh(hC);function Dc(e){let t={};return n=>t[n]||(t[n]=e(n))}function wI(e,t){return n=>{let r=e(n),i=r.indexOf(t);if(i<0)return r;let a=AI(r,i),o=a<r.length?r.slice(a):
"";for(;--a>i;)if(r[a]!=="0"){++a;break}return r.slice(0,a)+o}}function AI(e,t){let n=e.lastIndexOf("e"),r;if(n>0)return n;for(n=e.length;--n>t;)if(r=e.charCodeAt(
n),r>=48&&r<=57)return n+1}function gC(e){let t=Dc(e.format),n=e.formatPrefix;return{format:t,formatPrefix:n,formatFloat(r){let i=ra(r||",");if(i.precision==null){
switch(i.precision=12,i.type){case"%":i.precision-=2;break;case"e":i.precision-=1;break}return wI(t(i),t(".1f")(1)[1])}else return t(i)},formatSpan(r,i,a,o){o=ra(
o??",f");let s=sn(r,i,a),u=Math.max(Math.abs(r),Math.abs(i)),l;if(o.precision==null)switch(o.type){case"s":return isNaN(l=zh(s,u))||(o.precision=l),n(o,u);case"":case"\
e":case"g":case"p":case"r":{isNaN(l=Lh(s,u))||(o.precision=l-(o.type==="e"));break}case"f":case"%":{isNaN(l=Ih(s))||(o.precision=l-(o.type==="%")*2);break}}return t(
o)}}}var $y;EI();function EI(){return $y=gC({format:Nu,formatPrefix:bc})}function mC(e){return gC(fy(e))}function Gh(e){return arguments.length?$y=mC(e):$y}function pC(e,t,n){
n=n||{},V(n)||D(`Invalid time multi-format specifier: ${n}`);let r=t(Vt),i=t(tt),a=t(st),o=t(Qe),s=t(yt),u=t(Ne),l=t(zn),c=t(Ae),f=e(n[vn]||".%L"),d=e(n[Vt]||":\
%S"),h=e(n[tt]||"%I:%M"),p=e(n[st]||"%I %p"),g=e(n[Qe]||n[Ze]||"%a %d"),m=e(n[yt]||"%b %d"),y=e(n[Ne]||"%B"),b=e(n[zn]||"%B"),x=e(n[Ae]||"%Y");return v=>(r(v)<v?
f:i(v)<v?d:a(v)<v?h:o(v)<v?p:u(v)<v?s(v)<v?g:m:c(v)<v?l(v)<v?y:b:x)(v)}function yC(e){let t=Dc(e.format),n=Dc(e.utcFormat);return{timeFormat:r=>X(r)?t(r):pC(t,Za,
r),utcFormat:r=>X(r)?n(r):pC(n,Ja,r),timeParse:Dc(e.parse),utcParse:Dc(e.utcParse)}}var Ty;SI();function SI(){return Ty=yC({format:Mc,parse:Dy,utcFormat:qu,utcParse:Wh})}
function bC(e){return yC(My(e))}function ju(e){return arguments.length?Ty=bC(e):Ty}var Ry=(e,t)=>oe({},e,t);function Oy(e,t){let n=e?mC(e):Gh(),r=t?bC(t):ju();return Ry(
n,r)}function Ny(e,t){let n=arguments.length;return n&&n!==2&&D("defaultLocale expects either zero or two arguments."),n?Ry(Gh(e),ju(t)):Ry(Gh(),ju())}var CI=/^(data:|([A-Za-z]+:)?\/\/)/,_I=/^(?:(?:(?:f|ht)tps?|mailto|tel|callto|cid|xmpp|file|data):|[^a-z]|[a-z+.\-]+(?:[^a-z+.\-:]|$))/i,kI=/[\u0000-\u0020\u00A0\u1680\u180E\u2000-\u2029\u205f\u3000]/g,
xC="file://";function FI(e){return t=>({options:t||{},sanitize:DI,load:MI,fileAccess:!1,file:$I(e),http:RI})}async function MI(e,t){let n=await this.sanitize(e,
t),r=n.href;return n.localFile?this.file(r):this.http(r,t?.http)}async function DI(e,t){t=oe({},this.options,t);let n=this.fileAccess,r={href:null},i,a,o,s=_I.test(
e.replace(kI,""));(e==null||typeof e!="string"||!s)&&D("Sanitize failure, invalid URI: "+I(e));let u=CI.test(e);return(o=t.baseURL)&&!u&&(!e.startsWith("/")&&!o.
endsWith("/")&&(e="/"+e),e=o+e),a=(i=e.startsWith(xC))||t.mode==="file"||t.mode!=="http"&&!u&&n,i?e=e.slice(xC.length):e.startsWith("//")&&(t.defaultProtocol===
"file"?(e=e.slice(2),a=!0):e=(t.defaultProtocol||"http")+":"+e),Object.defineProperty(r,"localFile",{value:!!a}),r.href=e,t.target&&(r.target=t.target+""),t.rel&&
(r.rel=t.rel+""),t.context==="image"&&t.crossOrigin&&(r.crossOrigin=t.crossOrigin+""),r}function $I(e){return e?t=>new Promise((n,r)=>{e.readFile(t,(i,a)=>{i?r(
i):n(a)})}):TI}async function TI(){D("No file system access.")}async function RI(e,t){let n=oe({},this.options.http,t),r=t&&t.response,i=await fetch(e,n);return i.
ok?ae(i[r])?i[r]():i.text():D(i.status+""+i.statusText)}var OI=e=>e!=null&&e===e,NI=e=>e==="true"||e==="false"||e===!0||e===!1,BI=e=>!Number.isNaN(Date.parse(e)),
AC=e=>!Number.isNaN(+e)&&!(e instanceof Date),PI=e=>AC(e)&&Number.isInteger(+e),vC={boolean:Mu,integer:at,number:at,date:Du,string:$u,unknown:Et},Hh=[NI,PI,AC,BI],
II=["boolean","integer","number","date"];function zI(e,t){if(!e||!e.length)return"unknown";let n=e.length,r=Hh.length,i=Hh.map((a,o)=>o+1);for(let a=0,o=0,s,u;a<
n;++a)for(u=t?e[a][t]:e[a],s=0;s<r;++s)if(i[s]&&OI(u)&&!Hh[s](u)&&(i[s]=0,++o,o===Hh.length))return"string";return II[i.reduce((a,o)=>a===0?o:a,0)-1]}function LI(e,t){
return t.reduce((n,r)=>(n[r]=zI(e,r),n),{})}function wC(e){let t=function(n,r){let i={delimiter:e};return Py(n,r?oe(r,i):i)};return t.responseType="text",t}function Py(e,t){
return t.header&&(e=t.header.map(I).join(t.delimiter)+`
`+e),Ch(t.delimiter).parse(e+"")}Py.responseType="text";function UI(e){return typeof Buffer=="function"&&ae(Buffer.isBuffer)?Buffer.isBuffer(e):!1}function Iy(e,t){
let n=t&&t.property?gt(t.property):Et;return V(e)&&!UI(e)?qI(n(e),t):n(JSON.parse(e))}Iy.responseType="json";function qI(e,t){return!R(e)&&wh(e)&&(e=[...e]),t&&
t.copy?JSON.parse(JSON.stringify(e)):e}var jI={interior:(e,t)=>e!==t,exterior:(e,t)=>e===t};function EC(e,t){let n,r,i,a;return e=Iy(e,t),t&&t.feature?(n=ay,i=t.
feature):t&&t.mesh?(n=sy,i=t.mesh,a=jI[t.filter]):D("Missing TopoJSON feature or mesh parameter."),r=(r=e.objects[i])?n(e,r,a):D("Invalid TopoJSON object: "+i),
r&&r.features||[r]}EC.responseType="json";var By={dsv:Py,csv:wC(","),tsv:wC("	"),json:Iy,topojson:EC};function SC(e,t){return arguments.length>1?(By[e]=t,this):
Y(By,e)?By[e]:null}function CC(e){let t=SC(e);return t&&t.responseType||"text"}function _C(e,t,n,r){t=t||{};let i=SC(t.type||"json");return i||D("Unknown data f\
ormat type: "+t.type),e=i(e,t),t.parse&&WI(e,t.parse,n,r),Y(e,"columns")&&delete e.columns,e}function WI(e,t,n,r){if(!e.length)return;let i=ju();n=n||i.timeParse,
r=r||i.utcParse;let a=e.columns||Object.keys(e[0]),o,s,u,l,c,f;t==="auto"&&(t=LI(e,a)),a=Object.keys(t);let d=a.map(h=>{let p=t[h],g,m;if(p&&(p.startsWith("date\
:")||p.startsWith("utc:")))return g=p.split(/:(.+)?/,2),m=g[1],(m[0]==="'"&&m[m.length-1]==="'"||m[0]==='"'&&m[m.length-1]==='"')&&(m=m.slice(1,-1)),(g[0]==="ut\
c"?r:n)(m);if(!vC[p])throw Error("Illegal format pattern: "+h+":"+p);return vC[p]});for(u=0,c=e.length,f=a.length;u<c;++u)for(o=e[u],l=0;l<f;++l)s=a[l],o[s]=d[l](
o[s])}var $c=FI(null);function Kh(e){let t=e||Et,n=[],r={};return n.add=i=>{let a=t(i);return r[a]||(r[a]=1,n.push(i)),n},n.remove=i=>{let a=t(i);if(r[a]){r[a]=0;let o=n.indexOf(i);o>=
0&&n.splice(o,1)}return n},n}async function Oc(e,t){try{await t(e)}catch(n){e.error(n)}}var RC=Symbol("vega_id"),GI=1;function Gu(e){return!!(e&&re(e))}function re(e){
return e[RC]}function OC(e,t){return e[RC]=t,e}function Se(e){let t=e===Object(e)?e:{data:e};return re(t)?t:OC(t,GI++)}function Qh(e){return ds(e,Se({}))}function ds(e,t){
for(let n in e)t[n]=e[n];return t}function Zh(e,t){return OC(t,re(e))}function wi(e,t){return e?t?(n,r)=>e(n,r)||re(t(n))-re(t(r)):(n,r)=>e(n,r)||re(n)-re(r):null}
function Ly(e){return e&&e.constructor===io}function io(){let e=[],t=[],n=[],r=[],i=[],a=null,o=!1;return{constructor:io,insert(s){let u=H(s),l=u.length;for(let c=0;c<
l;++c)e.push(u[c]);return this},remove(s){let u=ae(s)?r:t,l=H(s),c=l.length;for(let f=0;f<c;++f)u.push(l[f]);return this},modify(s,u,l){let c={field:u,value:Ke(
l)};return ae(s)?(c.filter=s,i.push(c)):(c.tuple=s,n.push(c)),this},encode(s,u){return ae(s)?i.push({filter:s,field:u}):n.push({tuple:s,field:u}),this},clean(s){
return a=s,this},reflow(){return o=!0,this},pulse(s,u){let l={},c={},f,d,h,p,g,m;for(f=0,d=u.length;f<d;++f)l[re(u[f])]=1;for(f=0,d=t.length;f<d;++f)g=t[f],l[re(
g)]=-1;for(f=0,d=r.length;f<d;++f)p=r[f],u.forEach(b=>{p(b)&&(l[re(b)]=-1)});for(f=0,d=e.length;f<d;++f)g=e[f],m=re(g),l[m]?l[m]=1:s.add.push(Se(e[f]));for(f=0,
d=u.length;f<d;++f)g=u[f],l[re(g)]<0&&s.rem.push(g);function y(b,x,v){v?b[x]=v(b):s.encode=x,o||(c[re(b)]=b)}for(f=0,d=n.length;f<d;++f)h=n[f],g=h.tuple,p=h.field,
m=l[re(g)],m>0&&(y(g,p,h.value),s.modifies(p));for(f=0,d=i.length;f<d;++f)h=i[f],p=h.filter,u.forEach(b=>{p(b)&&l[re(b)]>0&&y(b,h.field,h.value)}),s.modifies(h.
field);if(o)s.mod=t.length||r.length?u.filter(b=>l[re(b)]>0):u.slice();else for(m in c)s.mod.push(c[m]);return(a||a==null&&(t.length||r.length))&&s.clean(!0),s}}}
var Vh="_:mod:_";function Jh(){Object.defineProperty(this,Vh,{writable:!0,value:{}})}Jh.prototype={set(e,t,n,r){let i=this,a=i[e],o=i[Vh];return t!=null&&t>=0?(a[t]!==
n||r)&&(a[t]=n,o[t+":"+e]=-1,o[e]=-1):(a!==n||r)&&(i[e]=n,o[e]=R(n)?1+n.length:-1),i},modified(e,t){let n=this[Vh];if(arguments.length){if(R(e)){for(let r=0;r<e.
length;++r)if(n[e[r]])return!0;return!1}}else{for(let r in n)if(n[r])return!0;return!1}return t!=null&&t>=0?t+1<n[e]||!!n[t+":"+e]:!!n[e]},clear(){return this[Vh]=
{},this}};var HI=0,YI="pulse",VI=new Jh,XI=1,KI=2;function Ie(e,t,n,r){this.id=++HI,this.value=e,this.stamp=-1,this.rank=-1,this.qrank=-1,this.flags=0,t&&(this.
_update=t),n&&this.parameters(n,r)}function kC(e){return function(t){let n=this.flags;return arguments.length===0?!!(n&e):(this.flags=t?n|e:n&~e,this)}}Ie.prototype=
{targets(){return this._targets||(this._targets=Kh(wu))},set(e){return this.value!==e?(this.value=e,1):0},skip:kC(XI),modified:kC(KI),parameters(e,t,n){t=t!==!1;
let r=this._argval=this._argval||new Jh,i=this._argops=this._argops||[],a=[],o,s,u,l,c=(f,d,h)=>{h instanceof Ie?(h!==this&&(t&&h.targets().add(this),a.push(h)),
i.push({op:h,name:f,index:d})):r.set(f,d,h)};for(o in e)if(s=e[o],o===YI)H(s).forEach(f=>{f instanceof Ie?f!==this&&(f.targets().add(this),a.push(f)):D("Pulse p\
arameters must be operator instances.")}),this.source=s;else if(R(s))for(r.set(o,-1,Array(u=s.length)),l=0;l<u;++l)c(o,l,s[l]);else c(o,-1,s);return this.marshall().
clear(),n&&(i.initonly=!0),a},marshall(e){let t=this._argval||VI,n=this._argops,r,i,a,o;if(n){let s=n.length;for(i=0;i<s;++i)r=n[i],a=r.op,o=a.modified()&&a.stamp===
e,t.set(r.name,r.index,a.value,o);if(n.initonly){for(i=0;i<s;++i)r=n[i],r.op.targets().remove(this);this._argops=null,this._update=null}}return t},detach(){let e=this.
_argops,t,n,r,i;if(e)for(t=0,n=e.length;t<n;++t)r=e[t],i=r.op,i._targets&&i._targets.remove(this);this.pulse=null,this.source=null},evaluate(e){let t=this._update;
if(t){let n=this.marshall(e.stamp),r=t.call(this,n,e);if(n.clear(),r!==this.value)this.value=r;else if(!this.modified())return e.StopPropagation}},run(e){if(e.stamp<
this.stamp)return e.StopPropagation;let t;return this.skip()?(this.skip(!1),t=0):t=this.evaluate(e),this.pulse=t||e}};function QI(e,t,n,r){let i=1,a;return e instanceof
Ie?a=e:e&&e.prototype instanceof Ie?a=new e:ae(e)?a=new Ie(null,e):(i=0,a=new Ie(e,t)),this.rank(a),i&&(r=n,n=t),n&&this.connect(a,a.parameters(n,r)),this.touch(
a),a}function ZI(e,t){let n=e.rank,r=t.length;for(let i=0;i<r;++i)if(n<t[i].rank){this.rerank(e);return}}var JI=0;function Nc(e,t,n){this.id=++JI,this.value=null,
n&&(this.receive=n),e&&(this._filter=e),t&&(this._apply=t)}function eo(e,t,n){return new Nc(e,t,n)}Nc.prototype={_filter:_t,_apply:Et,targets(){return this._targets||
(this._targets=Kh(wu))},consume(e){return arguments.length?(this._consume=!!e,this):!!this._consume},receive(e){if(this._filter(e)){let t=this.value=this._apply(
e),n=this._targets,r=n?n.length:0;for(let i=0;i<r;++i)n[i].receive(t);this._consume&&(e.preventDefault(),e.stopPropagation())}},filter(e){let t=eo(e);return this.
targets().add(t),t},apply(e){let t=eo(null,e);return this.targets().add(t),t},merge(){let e=eo();this.targets().add(e);for(let t=0,n=arguments.length;t<n;++t)arguments[t].
targets().add(e);return e},throttle(e){let t=-1;return this.filter(()=>{let n=Date.now();return n-t>e?(t=n,1):0})},debounce(e){let t=eo();return this.targets().
add(eo(null,null,ku(e,n=>{let r=n.dataflow;t.receive(n),r&&r.run&&r.run()}))),t},between(e,t){let n=!1;return e.targets().add(eo(null,null,()=>n=!0)),t.targets().
add(eo(null,null,()=>n=!1)),this.filter(()=>n)},detach(){this._filter=_t,this._targets=null}};function ez(e,t,n,r){let i=this,a=eo(n,r),o=function(l){l.dataflow=
i;try{a.receive(l)}catch(c){i.error(c)}finally{i.run()}},s;typeof e=="string"&&typeof document<"u"?s=document.querySelectorAll(e):s=H(e);let u=s.length;for(let l=0;l<
u;++l)s[l].addEventListener(t,o);return a}function tz(e,t){let n=this.locale();return _C(e,t,n.timeParse,n.utcParse)}function nz(e,t,n){return t=this.parse(t,n),
this.pulse(e,this.changeset().insert(t))}async function rz(e,t){let n=this,r=0,i;try{i=await n.loader().load(e,{context:"dataflow",response:CC(t&&t.type)});try{
i=n.parse(i,t)}catch(a){r=-2,n.warn("Data ingestion failed",e,a)}}catch(a){r=-1,n.warn("Loading failed",e,a)}return{data:i,status:r}}async function iz(e,t,n){let r=this,
i=r._pending||az(r);i.requests+=1;let a=await r.request(t,n);return r.pulse(e,r.changeset().remove(_t).insert(a.data||[])),i.done(),a}function az(e){let t,n=new Promise(
r=>t=r);return n.requests=0,n.done=()=>{--n.requests===0&&(e._pending=null,t(e))},e._pending=n}var oz={skip:!0};function sz(e,t,n,r,i){return(e instanceof Ie?lz:
uz)(this,e,t,n,r,i),this}function uz(e,t,n,r,i,a){let o=oe({},a,oz),s,u;ae(n)||(n=Ke(n)),r===void 0?s=l=>e.touch(n(l)):ae(r)?(u=new Ie(null,r,i,!1),s=l=>{u.evaluate(
l);let c=n(l),f=u.value;Ly(f)?e.pulse(c,f,a):e.update(c,f,o)}):s=l=>e.update(n(l),r,o),t.apply(s)}function lz(e,t,n,r,i,a){if(r===void 0)t.targets().add(n);else{
let o=a||{},s=new Ie(null,cz(n,r),i,!1);s.modified(o.force),s.rank=t.rank,t.targets().add(s),n&&(s.skip(!0),s.value=n.value,s.targets().add(n),e.connect(n,[s]))}}
function cz(e,t){return t=ae(t)?t:Ke(t),e?function(n,r){let i=t(n,r);return e.skip()||(e.skip(i!==this.value).value=i),i}:t}function fz(e){e.rank=++this._rank}function dz(e){
let t=[e],n,r,i;for(;t.length;)if(this.rank(n=t.pop()),r=n._targets)for(i=r.length;--i>=0;)t.push(n=r[i]),n===e&&D("Cycle detected in dataflow graph.")}var Xh={},
vi=1,to=2,ca=4,hz=vi|to,FC=vi|ca,Wu=vi|to|ca,MC=8,Tc=16,DC=32,$C=64;function no(e,t,n){this.dataflow=e,this.stamp=t??-1,this.add=[],this.rem=[],this.mod=[],this.
fields=null,this.encode=n||null}function zy(e,t){let n=[];return mi(e,t,r=>n.push(r)),n}function TC(e,t){let n={};return e.visit(t,r=>{n[re(r)]=1}),r=>n[re(r)]?
null:r}function Yh(e,t){return e?(n,r)=>e(n,r)&&t(n,r):t}no.prototype={StopPropagation:Xh,ADD:vi,REM:to,MOD:ca,ADD_REM:hz,ADD_MOD:FC,ALL:Wu,REFLOW:MC,SOURCE:Tc,
NO_SOURCE:DC,NO_FIELDS:$C,fork(e){return new no(this.dataflow).init(this,e)},clone(){let e=this.fork(Wu);return e.add=e.add.slice(),e.rem=e.rem.slice(),e.mod=e.
mod.slice(),e.source&&(e.source=e.source.slice()),e.materialize(Wu|Tc)},addAll(){let e=this;return!e.source||e.add===e.rem||!e.rem.length&&e.source.length===e.add.
length||(e=new no(this.dataflow).init(this),e.add=e.source,e.rem=[]),e},init(e,t){let n=this;return n.stamp=e.stamp,n.encode=e.encode,e.fields&&!(t&$C)&&(n.fields=
e.fields),t&vi?(n.addF=e.addF,n.add=e.add):(n.addF=null,n.add=[]),t&to?(n.remF=e.remF,n.rem=e.rem):(n.remF=null,n.rem=[]),t&ca?(n.modF=e.modF,n.mod=e.mod):(n.modF=
null,n.mod=[]),t&DC?(n.srcF=null,n.source=null):(n.srcF=e.srcF,n.source=e.source,e.cleans&&(n.cleans=e.cleans)),n},runAfter(e){this.dataflow.runAfter(e)},changed(e){
let t=e||Wu;return t&vi&&this.add.length||t&to&&this.rem.length||t&ca&&this.mod.length},reflow(e){if(e)return this.fork(Wu).reflow();let t=this.add.length,n=this.
source&&this.source.length;return n&&n!==t&&(this.mod=this.source,t&&this.filter(ca,TC(this,vi))),this},clean(e){return arguments.length?(this.cleans=!!e,this):
this.cleans},modifies(e){let t=this.fields||(this.fields={});return R(e)?e.forEach(n=>t[n]=!0):t[e]=!0,this},modified(e,t){let n=this.fields;return(t||this.mod.
length)&&n?arguments.length?R(e)?e.some(r=>n[r]):n[e]:!!n:!1},filter(e,t){let n=this;return e&vi&&(n.addF=Yh(n.addF,t)),e&to&&(n.remF=Yh(n.remF,t)),e&ca&&(n.modF=
Yh(n.modF,t)),e&Tc&&(n.srcF=Yh(n.srcF,t)),n},materialize(e){e=e||Wu;let t=this;return e&vi&&t.addF&&(t.add=zy(t.add,t.addF),t.addF=null),e&to&&t.remF&&(t.rem=zy(
t.rem,t.remF),t.remF=null),e&ca&&t.modF&&(t.mod=zy(t.mod,t.modF),t.modF=null),e&Tc&&t.srcF&&(t.source=t.source.filter(t.srcF),t.srcF=null),t},visit(e,t){let n=this,
r=t;if(e&Tc)return mi(n.source,n.srcF,r),n;e&vi&&mi(n.add,n.addF,r),e&to&&mi(n.rem,n.remF,r),e&ca&&mi(n.mod,n.modF,r);let i=n.source;if(e&MC&&i){let a=n.add.length+
n.mod.length;a===i.length||(a?mi(i,TC(n,FC),r):mi(i,n.srcF,r))}return n}};function Uy(e,t,n,r){let i=this,a=0;this.dataflow=e,this.stamp=t,this.fields=null,this.
encode=r||null,this.pulses=n;for(let o of n)if(o.stamp===t){if(o.fields){let s=i.fields||(i.fields={});for(let u in o.fields)s[u]=1}o.changed(i.ADD)&&(a|=i.ADD),
o.changed(i.REM)&&(a|=i.REM),o.changed(i.MOD)&&(a|=i.MOD)}this.changes=a}z(Uy,no,{fork(e){let t=new no(this.dataflow).init(this,e&this.NO_FIELDS);return e!==void 0&&
(e&t.ADD&&this.visit(t.ADD,n=>t.add.push(n)),e&t.REM&&this.visit(t.REM,n=>t.rem.push(n)),e&t.MOD&&this.visit(t.MOD,n=>t.mod.push(n))),t},changed(e){return this.
changes&e},modified(e){let t=this,n=t.fields;return n&&t.changes&t.MOD?R(e)?e.some(r=>n[r]):n[e]:0},filter(){D("MultiPulse does not support filtering.")},materialize(){
D("MultiPulse does not support materialization.")},visit(e,t){let n=this,r=n.pulses,i=r.length,a=0;if(e&n.SOURCE)for(;a<i;++a)r[a].visit(e,t);else for(;a<i;++a)
r[a].stamp===n.stamp&&r[a].visit(e,t);return n}});async function pz(e,t,n){let r=this,i=[];if(r._pulse)return NC(r);if(r._pending&&await r._pending,t&&await Oc(
r,t),!r._touched.length)return r.debug("Dataflow invoked, but nothing to do."),r;let a=++r._clock;r._pulse=new no(r,a,e),r._touched.forEach(c=>r._enqueue(c,!0)),
r._touched=Kh(wu);let o=0,s,u,l;try{for(;r._heap.size()>0;){if(s=r._heap.pop(),s.rank!==s.qrank){r._enqueue(s,!0);continue}u=s.run(r._getPulse(s,e)),u.then?u=await u:
u.async&&(i.push(u.async),u=Xh),u!==Xh&&s._targets&&s._targets.forEach(c=>r._enqueue(c)),++o}}catch(c){r._heap.clear(),l=c}if(r._input={},r._pulse=null,r.debug(
`Pulse ${a}: ${o} operators`),l&&(r._postrun=[],r.error(l)),r._postrun.length){let c=r._postrun.sort((f,d)=>d.priority-f.priority);r._postrun=[];for(let f=0;f<c.
length;++f)await Oc(r,c[f].callback)}return n&&await Oc(r,n),i.length&&Promise.all(i).then(c=>r.runAsync(null,()=>{c.forEach(f=>{try{f(r)}catch(d){r.error(d)}})})),
r}async function gz(e,t,n){for(;this._running;)await this._running;let r=()=>this._running=null;return(this._running=this.evaluate(e,t,n)).then(r,r),this._running}
function mz(e,t,n){return this._pulse?NC(this):(this.evaluate(e,t,n),this)}function yz(e,t,n){if(this._pulse||t)this._postrun.push({priority:n||0,callback:e});else
try{e(this)}catch(r){this.error(r)}}function NC(e){return e.error("Dataflow already running. Use runAsync() to chain invocations."),e}function bz(e,t){let n=e.stamp<
this._clock;n&&(e.stamp=this._clock),(n||t)&&(e.qrank=e.rank,this._heap.push(e))}function xz(e,t){let n=e.source,r=this._clock;return n&&R(n)?new Uy(this,r,n.map(
i=>i.pulse),t):this._input[e.id]||vz(this._pulse,n&&n.pulse)}function vz(e,t){return t&&t.stamp===e.stamp?t:(e=e.fork(),t&&t!==Xh&&(e.source=t.source),e)}var qy={
skip:!1,force:!1};function wz(e,t){let n=t||qy;return this._pulse?this._enqueue(e):this._touched.add(e),n.skip&&e.skip(!0),this}function Az(e,t,n){let r=n||qy;return(e.
set(t)||r.force)&&this.touch(e,r),this}function Ez(e,t,n){this.touch(e,n||qy);let r=new no(this,this._clock+(this._pulse?0:1)),i=e.pulse&&e.pulse.source||[];return r.
target=e,this._input[e.id]=t.pulse(r,i),this}function Sz(e){let t=[];return{clear:()=>t=[],size:()=>t.length,peek:()=>t[0],push:n=>(t.push(n),BC(t,0,t.length-1,
e)),pop:()=>{let n=t.pop(),r;return t.length?(r=t[0],t[0]=n,Cz(t,0,e)):r=n,r}}}function BC(e,t,n,r){let i,a,o=e[n];for(;n>t;){if(a=n-1>>1,i=e[a],r(o,i)<0){e[n]=
i,n=a;continue}break}return e[n]=o}function Cz(e,t,n){let r=t,i=e.length,a=e[t],o=(t<<1)+1,s;for(;o<i;)s=o+1,s<i&&n(e[o],e[s])>=0&&(o=s),e[t]=e[o],t=o,o=(t<<1)+
1;return e[t]=a,BC(e,r,t,n)}function hs(){this.logger(lc()),this.logLevel(hh),this._clock=0,this._rank=0,this._locale=Ny();try{this._loader=$c()}catch{}this._touched=
Kh(wu),this._input={},this._pulse=null,this._heap=Sz((e,t)=>e.qrank-t.qrank),this._postrun=[]}function Rc(e){return function(){return this._log[e].apply(this,arguments)}}
hs.prototype={stamp(){return this._clock},loader(e){return arguments.length?(this._loader=e,this):this._loader},locale(e){return arguments.length?(this._locale=
e,this):this._locale},logger(e){return arguments.length?(this._log=e,this):this._log},error:Rc("error"),warn:Rc("warn"),info:Rc("info"),debug:Rc("debug"),logLevel:Rc(
"level"),cleanThreshold:1e4,add:QI,connect:ZI,rank:fz,rerank:dz,pulse:Ez,touch:wz,update:Az,changeset:io,ingest:nz,parse:tz,preload:iz,request:rz,events:ez,on:sz,
evaluate:pz,run:mz,runAsync:gz,runAfter:yz,_enqueue:bz,_getPulse:xz};function T(e,t){Ie.call(this,e,null,t)}z(T,Ie,{run(e){if(e.stamp<this.stamp)return e.StopPropagation;
let t;return this.skip()?this.skip(!1):t=this.evaluate(e),t=t||e,t.then?t=t.then(n=>this.pulse=n):t!==e.StopPropagation&&(this.pulse=t),t},evaluate(e){let t=this.
marshall(e.stamp),n=this.transform(t,e);return t.clear(),n},transform(){}});var ro={};function jy(e){let t=PC(e);return t&&t.Definition||null}function PC(e){return e=
e&&e.toLowerCase(),Y(ro,e)?ro[e]:null}var Nb={};gr(Nb,{aggregate:()=>ao,bin:()=>fb,collect:()=>db,compare:()=>s_,countpattern:()=>hb,cross:()=>pb,density:()=>gb,dotbin:()=>yb,expression:()=>d_,extent:()=>bb,
facet:()=>a0,field:()=>h_,filter:()=>vb,flatten:()=>wb,fold:()=>Ab,formula:()=>Eb,generate:()=>p_,impute:()=>Sb,joinaggregate:()=>Cb,kde:()=>_b,key:()=>g_,load:()=>m_,
lookup:()=>kb,multiextent:()=>y_,multivalues:()=>b_,params:()=>x_,pivot:()=>Fb,prefacet:()=>v_,project:()=>Mb,proxy:()=>w_,quantile:()=>Db,relay:()=>A_,sample:()=>$b,
sequence:()=>Tb,sieve:()=>E_,subflow:()=>xb,timeunit:()=>Rb,tupleindex:()=>C_,values:()=>__,window:()=>Ob});function*LC(e,t){if(t==null)for(let n of e)n!=null&&n!==""&&(n=+n)>=n&&(yield n);else{let n=-1;for(let r of e)r=t(r,++n,e),r!=null&&r!==""&&(r=+r)>=r&&(yield r)}}
function Wy(e,t,n){let r=Float64Array.from(LC(e,n));return r.sort(Pr),t.map(i=>Th(r,i))}function Gy(e,t){return Wy(e,[.25,.5,.75],t)}function Hy(e,t){let n=e.length,
r=aS(e,t),i=Gy(e,t),a=(i[2]-i[0])/1.34;return 1.06*(Math.min(r,a)||r||Math.abs(i[0])||1)*Math.pow(n,-.2)}function UC(e){let t=e.maxbins||20,n=e.base||10,r=Math.
log(n),i=e.divide||[5,2],a=e.extent[0],o=e.extent[1],s,u,l,c,f,d,h=e.span||o-a||Math.abs(a)||1;if(e.step)s=e.step;else if(e.steps){for(c=h/t,f=0,d=e.steps.length;f<
d&&e.steps[f]<c;++f);s=e.steps[Math.max(0,f-1)]}else{for(u=Math.ceil(Math.log(t)/r),l=e.minstep||0,s=Math.max(l,Math.pow(n,Math.round(Math.log(h)/r)-u));Math.ceil(
h/s)>t;)s*=n;for(f=0,d=i.length;f<d;++f)c=s/i[f],c>=l&&h/c<=t&&(s=c)}c=Math.log(s);let p=c>=0?0:~~(-c/r)+1,g=Math.pow(n,-p-1);return(e.nice||e.nice===void 0)&&(c=
Math.floor(a/s+g)*s,a=a<c?c-s:c,o=Math.ceil(o/s)*s),{start:a,stop:o===a?a+s:o,step:s}}var yr=Math.random;function qC(e,t,n,r){if(!e.length)return[void 0,void 0];let i=Float64Array.from(LC(e,r)),a=i.length,o=t,s,u,l,c;for(l=0,c=Array(o);l<o;++l){for(s=0,u=0;u<a;++u)
s+=i[~~(yr()*a)];c[l]=s/a}return c.sort(Pr),[yc(c,n/2),yc(c,1-n/2)]}function jC(e,t,n,r){r=r||(d=>d);let i=e.length,a=new Float64Array(i),o=0,s=1,u=r(e[0]),l=u,
c=u+t,f;for(;s<i;++s){if(f=r(e[s]),f>=c){for(l=(u+l)/2;o<s;++o)a[o]=l;c=f+t,u=f}l=f}for(l=(u+l)/2;o<s;++o)a[o]=l;return n?_z(a,t+t/4):a}function _z(e,t){let n=e.
length,r=0,i=1,a,o;for(;e[r]===e[i];)++i;for(;i<n;){for(a=i+1;e[i]===e[a];)++a;if(e[i]-e[i-1]<t){for(o=i+(r+a-i-i>>1);o<i;)e[o++]=e[i];for(;o>i;)e[o--]=e[r]}r=i,
i=a}return e}var WC=Math.sqrt(2*Math.PI),kz=Math.SQRT2,Bc=NaN;function e0(e,t){e=e||0,t=t??1;let n=0,r=0,i,a;if(Bc===Bc)n=Bc,Bc=NaN;else{do n=yr()*2-1,r=yr()*2-1,i=n*n+r*r;while(i===
0||i>1);a=Math.sqrt(-2*Math.log(i)/i),n*=a,Bc=r*a}return e+n*t}function Yy(e,t,n){n=n??1;let r=(e-(t||0))/n;return Math.exp(-.5*r*r)/(n*WC)}function t0(e,t,n){t=
t||0,n=n??1;let r=(e-t)/n,i=Math.abs(r),a;if(i>37)a=0;else{let o=Math.exp(-i*i/2),s;i<7.07106781186547?(s=.0352624965998911*i+.700383064443688,s=s*i+6.37396220353165,
s=s*i+33.912866078383,s=s*i+112.079291497871,s=s*i+221.213596169931,s=s*i+220.206867912376,a=o*s,s=.0883883476483184*i+1.75566716318264,s=s*i+16.064177579207,s=
s*i+86.7807322029461,s=s*i+296.564248779674,s=s*i+637.333633378831,s=s*i+793.826512519948,s=s*i+440.413735824752,a=a/s):(s=i+.65,s=i+4/s,s=i+3/s,s=i+2/s,s=i+1/s,
a=o/s/2.506628274631)}return r>0?1-a:a}function n0(e,t,n){return e<0||e>1?NaN:(t||0)+(n??1)*kz*Fz(2*e-1)}function Fz(e){let t=-Math.log((1-e)*(1+e)),n;return t<
6.25?(t-=3.125,n=-364441206401782e-35,n=-16850591381820166e-35+n*t,n=128584807152564e-32+n*t,n=11157877678025181e-33+n*t,n=-1333171662854621e-31+n*t,n=20972767875968562e-33+
n*t,n=6637638134358324e-30+n*t,n=-4054566272975207e-29+n*t,n=-8151934197605472e-29+n*t,n=26335093153082323e-28+n*t,n=-12975133253453532e-27+n*t,n=-5415412054294628e-26+
n*t,n=10512122733215323e-25+n*t,n=-4112633980346984e-24+n*t,n=-29070369957882005e-24+n*t,n=42347877827932404e-23+n*t,n=-13654692000834679e-22+n*t,n=-13882523362786469e-21+
n*t,n=.00018673420803405714+n*t,n=-.000740702534166267+n*t,n=-.006033670871430149+n*t,n=.24015818242558962+n*t,n=1.6536545626831027+n*t):t<16?(t=Math.sqrt(t)-3.25,
n=22137376921775787e-25,n=9075656193888539e-23+n*t,n=-27517406297064545e-23+n*t,n=18239629214389228e-24+n*t,n=15027403968909828e-22+n*t,n=-4013867526981546e-21+
n*t,n=29234449089955446e-22+n*t,n=12475304481671779e-21+n*t,n=-47318229009055734e-21+n*t,n=6828485145957318e-20+n*t,n=24031110387097894e-21+n*t,n=-.0003550375203628475+
n*t,n=.0009532893797373805+n*t,n=-.0016882755560235047+n*t,n=.002491442096107851+n*t,n=-.003751208507569241+n*t,n=.005370914553590064+n*t,n=1.0052589676941592+n*
t,n=3.0838856104922208+n*t):Number.isFinite(t)?(t=Math.sqrt(t)-5,n=-27109920616438573e-27,n=-2555641816996525e-25+n*t,n=15076572693500548e-25+n*t,n=-3789465440126737e-24+
n*t,n=761570120807834e-23+n*t,n=-1496002662714924e-23+n*t,n=2914795345090108e-23+n*t,n=-6771199775845234e-23+n*t,n=22900482228026655e-23+n*t,n=-99298272942317e-20+
n*t,n=4526062597223154e-21+n*t,n=-1968177810553167e-20+n*t,n=7599527703001776e-20+n*t,n=-.00021503011930044477+n*t,n=-.00013871931833623122+n*t,n=1.0103004648645344+
n*t,n=4.849906401408584+n*t):n=1/0,n*e}function Vy(e,t){let n,r,i={mean(a){return arguments.length?(n=a||0,i):n},stdev(a){return arguments.length?(r=a??1,i):r},
sample:()=>e0(n,r),pdf:a=>Yy(a,n,r),cdf:a=>t0(a,n,r),icdf:a=>n0(a,n,r)};return i.mean(e).stdev(t)}function Xy(e,t){let n=Vy(),r=0,i={data(a){return arguments.length?
(e=a,r=a?a.length:0,i.bandwidth(t)):e},bandwidth(a){return arguments.length?(t=a,!t&&e&&(t=Hy(e)),i):t},sample(){return e[~~(yr()*r)]+t*n.sample()},pdf(a){let o=0,
s=0;for(;s<r;++s)o+=n.pdf((a-e[s])/t);return o/t/r},cdf(a){let o=0,s=0;for(;s<r;++s)o+=n.cdf((a-e[s])/t);return o/r},icdf(){throw Error("KDE icdf not supported.")}};
return i.data(e)}function Ky(e,t){return e=e||0,t=t??1,Math.exp(e+e0()*t)}function Qy(e,t,n){if(e<=0)return 0;t=t||0,n=n??1;let r=(Math.log(e)-t)/n;return Math.
exp(-.5*r*r)/(n*WC*e)}function Zy(e,t,n){return t0(Math.log(e),t,n)}function Jy(e,t,n){return Math.exp(n0(e,t,n))}function GC(e,t){let n,r,i={mean(a){return arguments.
length?(n=a||0,i):n},stdev(a){return arguments.length?(r=a??1,i):r},sample:()=>Ky(n,r),pdf:a=>Qy(a,n,r),cdf:a=>Zy(a,n,r),icdf:a=>Jy(a,n,r)};return i.mean(e).stdev(
t)}function HC(e,t){let n=0,r;function i(o){let s=[],u=0,l;for(l=0;l<n;++l)u+=s[l]=o[l]==null?1:+o[l];for(l=0;l<n;++l)s[l]/=u;return s}let a={weights(o){return arguments.
length?(r=i(t=o||[]),a):t},distributions(o){return arguments.length?(o?(n=o.length,e=o):(n=0,e=[]),a.weights(t)):e},sample(){let o=yr(),s=e[n-1],u=r[0],l=0;for(;l<
n-1;u+=r[++l])if(o<u){s=e[l];break}return s.sample()},pdf(o){let s=0,u=0;for(;u<n;++u)s+=r[u]*e[u].pdf(o);return s},cdf(o){let s=0,u=0;for(;u<n;++u)s+=r[u]*e[u].
cdf(o);return s},icdf(){throw Error("Mixture icdf not supported.")}};return a.distributions(e).weights(t)}function eb(e,t){return t==null&&(t=e??1,e=0),e+(t-e)*
yr()}function tb(e,t,n){return n==null&&(n=t??1,t=0),e>=t&&e<=n?1/(n-t):0}function nb(e,t,n){return n==null&&(n=t??1,t=0),e<t?0:e>n?1:(e-t)/(n-t)}function rb(e,t,n){
return n==null&&(n=t??1,t=0),e>=0&&e<=1?t+e*(n-t):NaN}function YC(e,t){let n,r,i={min(a){return arguments.length?(n=a||0,i):n},max(a){return arguments.length?(r=
a??1,i):r},sample:()=>eb(n,r),pdf:a=>tb(a,n,r),cdf:a=>nb(a,n,r),icdf:a=>rb(a,n,r)};return t==null&&(t=e??1,e=0),i.min(e).max(t)}function ib(e,t,n){let r=0,i=0;for(let a of e){
let o=n(a);t(a)==null||o==null||isNaN(o)||(r+=(o-r)/++i)}return{coef:[r],predict:()=>r,rSquared:0}}function Pc(e,t,n,r){let i=r-e*e,a=Math.abs(i)<1e-24?0:(n-e*t)/
i;return[t-a*e,a]}function r0(e,t,n,r){e=e.filter(h=>{let p=t(h),g=n(h);return p!=null&&(p=+p)>=p&&g!=null&&(g=+g)>=g}),r&&e.sort((h,p)=>t(h)-t(p));let i=e.length,
a=new Float64Array(i),o=new Float64Array(i),s=0,u=0,l=0,c,f,d;for(d of e)a[s]=c=+t(d),o[s]=f=+n(d),++s,u+=(c-u)/s,l+=(f-l)/s;for(s=0;s<i;++s)a[s]-=u,o[s]-=l;return[
a,o,u,l]}function Ic(e,t,n,r){let i=-1,a,o;for(let s of e)a=t(s),o=n(s),a!=null&&(a=+a)>=a&&o!=null&&(o=+o)>=o&&r(a,o,++i)}function Hu(e,t,n,r,i){let a=0,o=0;return Ic(
e,t,n,(s,u)=>{let l=u-i(s),c=u-r;a+=l*l,o+=c*c}),1-a/o}function ab(e,t,n){let r=0,i=0,a=0,o=0,s=0;Ic(e,t,n,(c,f)=>{++s,r+=(c-r)/s,i+=(f-i)/s,a+=(c*f-a)/s,o+=(c*
c-o)/s});let u=Pc(r,i,a,o),l=c=>u[0]+u[1]*c;return{coef:u,predict:l,rSquared:Hu(e,t,n,i,l)}}function VC(e,t,n){let r=0,i=0,a=0,o=0,s=0;Ic(e,t,n,(c,f)=>{++s,c=Math.
log(c),r+=(c-r)/s,i+=(f-i)/s,a+=(c*f-a)/s,o+=(c*c-o)/s});let u=Pc(r,i,a,o),l=c=>u[0]+u[1]*Math.log(c);return{coef:u,predict:l,rSquared:Hu(e,t,n,i,l)}}function XC(e,t,n){
let[r,i,a,o]=r0(e,t,n),s=0,u=0,l=0,c=0,f=0,d,h,p;Ic(e,t,n,(b,x)=>{d=r[f++],h=Math.log(x),p=d*x,s+=(x*h-s)/f,u+=(p-u)/f,l+=(p*h-l)/f,c+=(d*p-c)/f});let[g,m]=Pc(u/
o,s/o,l/o,c/o),y=b=>Math.exp(g+m*(b-a));return{coef:[Math.exp(g-m*a),m],predict:y,rSquared:Hu(e,t,n,o,y)}}function KC(e,t,n){let r=0,i=0,a=0,o=0,s=0,u=0;Ic(e,t,
n,(f,d)=>{let h=Math.log(f),p=Math.log(d);++u,r+=(h-r)/u,i+=(p-i)/u,a+=(h*p-a)/u,o+=(h*h-o)/u,s+=(d-s)/u});let l=Pc(r,i,a,o),c=f=>l[0]*Math.pow(f,l[1]);return l[0]=
Math.exp(l[0]),{coef:l,predict:c,rSquared:Hu(e,t,n,s,c)}}function ob(e,t,n){let[r,i,a,o]=r0(e,t,n),s=r.length,u=0,l=0,c=0,f=0,d=0,h,p,g,m;for(h=0;h<s;)p=r[h],g=
i[h++],m=p*p,u+=(m-u)/h,l+=(m*p-l)/h,c+=(m*m-c)/h,f+=(p*g-f)/h,d+=(m*g-d)/h;let y=c-u*u,b=u*y-l*l,x=(d*u-f*l)/b,v=(f*y-d*l)/b,w=-x*u,E=A=>(A=A-a,x*A*A+v*A+w+o);
return{coef:[w-v*a+x*a*a+o,v-2*x*a,x],predict:E,rSquared:Hu(e,t,n,o,E)}}function QC(e,t,n,r){if(r===0)return ib(e,t,n);if(r===1)return ab(e,t,n);if(r===2)return ob(
e,t,n);let[i,a,o,s]=r0(e,t,n),u=i.length,l=[],c=[],f=r+1,d,h,p,g,m;for(d=0;d<f;++d){for(p=0,g=0;p<u;++p)g+=Math.pow(i[p],d)*a[p];for(l.push(g),m=new Float64Array(
f),h=0;h<f;++h){for(p=0,g=0;p<u;++p)g+=Math.pow(i[p],d+h);m[h]=g}c.push(m)}c.push(l);let y=Dz(c),b=x=>{x-=o;let v=s+y[0]+y[1]*x+y[2]*x*x;for(d=3;d<f;++d)v+=y[d]*
Math.pow(x,d);return v};return{coef:Mz(f,y,-o,s),predict:b,rSquared:Hu(e,t,n,s,b)}}function Mz(e,t,n,r){let i=Array(e),a,o,s,u;for(a=0;a<e;++a)i[a]=0;for(a=e-1;a>=
0;--a)for(s=t[a],u=1,i[a]+=s,o=1;o<=a;++o)u*=(a+1-o)/o,i[a-o]+=s*Math.pow(n,o)*u;return i[0]+=r,i}function Dz(e){let t=e.length-1,n=[],r,i,a,o,s;for(r=0;r<t;++r){
for(o=r,i=r+1;i<t;++i)Math.abs(e[r][i])>Math.abs(e[r][o])&&(o=i);for(a=r;a<t+1;++a)s=e[a][r],e[a][r]=e[a][o],e[a][o]=s;for(i=r+1;i<t;++i)for(a=t;a>=r;a--)e[a][i]-=
e[a][r]*e[r][i]/e[r][r]}for(i=t-1;i>=0;--i){for(s=0,a=i+1;a<t;++a)s+=e[a][i]*n[a];n[i]=(e[t][i]-s)/e[i][i]}return n}var IC=2,zC=1e-12;function ZC(e,t,n,r){let[i,
a,o,s]=r0(e,t,n,!0),u=i.length,l=Math.max(2,~~(r*u)),c=new Float64Array(u),f=new Float64Array(u),d=new Float64Array(u).fill(1);for(let h=-1;++h<=IC;){let p=[0,l-
1];for(let m=0;m<u;++m){let y=i[m],b=p[0],x=p[1],v=y-i[b]>i[x]-y?b:x,w=0,E=0,A=0,S=0,C=0,_=1/Math.abs(i[v]-y||1);for(let $=b;$<=x;++$){let O=i[$],F=a[$],P=$z(Math.
abs(y-O)*_)*d[$],Q=O*P;w+=P,E+=Q,A+=F*P,S+=F*Q,C+=O*Q}let[k,M]=Pc(E/w,A/w,S/w,C/w);c[m]=k+M*y,f[m]=Math.abs(a[m]-c[m]),Tz(i,m+1,p)}if(h===IC)break;let g=Rh(f);if(Math.
abs(g)<zC)break;for(let m=0,y,b;m<u;++m)y=f[m]/(6*g),d[m]=y>=1?zC:(b=1-y*y)*b}return Rz(i,c,o,s)}function $z(e){return(e=1-e*e*e)*e*e}function Tz(e,t,n){let r=e[t],
i=n[0],a=n[1]+1;if(!(a>=e.length))for(;t>i&&e[a]-r<=r-e[i];)n[0]=++i,n[1]=a,++a}function Rz(e,t,n,r){let i=e.length,a=[],o=0,s=0,u=[],l;for(;o<i;++o)l=e[o]+n,u[0]===
l?u[1]+=(t[o]-u[1])/++s:(s=0,u[1]+=r,u=[l,t[o]],a.push(u));return u[1]+=r,a}var Oz=.5*Math.PI/180;function zc(e,t,n,r){n=n||25,r=Math.max(n,r||200);let i=g=>[g,
e(g)],a=t[0],o=t[1],s=o-a,u=s/r,l=[i(a)],c=[];if(n===r){for(let g=1;g<r;++g)l.push(i(a+g/n*s));return l.push(i(o)),l}else{c.push(i(o));for(let g=n;--g>0;)c.push(
i(a+g/n*s))}let f=l[0],d=c[c.length-1],h=1/s,p=Nz(f[1],c);for(;d;){let g=i((f[0]+d[0])/2);g[0]-f[0]>=u&&Bz(f,g,d,h,p)>Oz?c.push(g):(f=d,l.push(d),c.pop()),d=c[c.
length-1]}return l}function Nz(e,t){let n=e,r=e,i=t.length;for(let a=0;a<i;++a){let o=t[a][1];o<n&&(n=o),o>r&&(r=o)}return 1/(r-n)}function Bz(e,t,n,r,i){let a=Math.
atan2(i*(n[1]-e[1]),r*(n[0]-e[0])),o=Math.atan2(i*(t[1]-e[1]),r*(t[0]-e[0]));return Math.abs(a-o)}function Pz(e){return t=>{let n=e.length,r=1,i=String(e[0](t));for(;r<n;++r)i+="|"+e[r](t);return i}}function lb(e){return!e||!e.length?function(){return""}:e.length===
1?e[0]:Pz(e)}function n_(e,t,n){return n||e+(t?"_"+t:"")}var sb=()=>{},Iz={init:sb,add:sb,rem:sb,idx:0},Lc={values:{init:e=>e.cell.store=!0,value:e=>e.cell.data.
values(),idx:-1},count:{value:e=>e.cell.num},__count__:{value:e=>e.missing+e.valid},missing:{value:e=>e.missing},valid:{value:e=>e.valid},sum:{init:e=>e.sum=0,value:e=>e.
valid?e.sum:void 0,add:(e,t)=>e.sum+=+t,rem:(e,t)=>e.sum-=t},product:{init:e=>e.product=1,value:e=>e.valid?e.product:void 0,add:(e,t)=>e.product*=t,rem:(e,t)=>e.
product/=t},mean:{init:e=>e.mean=0,value:e=>e.valid?e.mean:void 0,add:(e,t)=>(e.mean_d=t-e.mean,e.mean+=e.mean_d/e.valid),rem:(e,t)=>(e.mean_d=t-e.mean,e.mean-=
e.valid?e.mean_d/e.valid:e.mean)},average:{value:e=>e.valid?e.mean:void 0,req:["mean"],idx:1},variance:{init:e=>e.dev=0,value:e=>e.valid>1?Math.max(0,e.dev)/(e.
valid-1):void 0,add:(e,t)=>e.dev+=e.mean_d*(t-e.mean),rem:(e,t)=>e.dev-=e.mean_d*(t-e.mean),req:["mean"],idx:1},variancep:{value:e=>e.valid?Math.max(0,e.dev)/e.
valid:void 0,req:["variance"],idx:2},stdev:{value:e=>e.valid>1?Math.sqrt(Math.max(0,e.dev)/(e.valid-1)):void 0,req:["variance"],idx:2},stdevp:{value:e=>e.valid?
Math.sqrt(Math.max(0,e.dev)/e.valid):void 0,req:["variance"],idx:2},stderr:{value:e=>e.valid>1?Math.sqrt(Math.max(0,e.dev)/(e.valid*(e.valid-1))):void 0,req:["v\
ariance"],idx:2},distinct:{value:e=>e.cell.data.distinct(e.get),req:["values"],idx:3},ci0:{value:e=>e.cell.data.ci0(e.get),req:["values"],idx:3},ci1:{value:e=>e.
cell.data.ci1(e.get),req:["values"],idx:3},median:{value:e=>e.cell.data.q2(e.get),req:["values"],idx:3},q1:{value:e=>e.cell.data.q1(e.get),req:["values"],idx:3},
q3:{value:e=>e.cell.data.q3(e.get),req:["values"],idx:3},min:{init:e=>e.min=void 0,value:e=>e.min=Number.isNaN(e.min)?e.cell.data.min(e.get):e.min,add:(e,t)=>{(t<
e.min||e.min===void 0)&&(e.min=t)},rem:(e,t)=>{t<=e.min&&(e.min=NaN)},req:["values"],idx:4},max:{init:e=>e.max=void 0,value:e=>e.max=Number.isNaN(e.max)?e.cell.
data.max(e.get):e.max,add:(e,t)=>{(t>e.max||e.max===void 0)&&(e.max=t)},rem:(e,t)=>{t>=e.max&&(e.max=NaN)},req:["values"],idx:4},argmin:{init:e=>e.argmin=void 0,
value:e=>e.argmin||e.cell.data.argmin(e.get),add:(e,t,n)=>{t<e.min&&(e.argmin=n)},rem:(e,t)=>{t<=e.min&&(e.argmin=void 0)},req:["min","values"],idx:3},argmax:{init:e=>e.
argmax=void 0,value:e=>e.argmax||e.cell.data.argmax(e.get),add:(e,t,n)=>{t>e.max&&(e.argmax=n)},rem:(e,t)=>{t>=e.max&&(e.argmax=void 0)},req:["max","values"],idx:3},
exponential:{init:(e,t)=>{e.exp=0,e.exp_r=t},value:e=>e.valid?e.exp*(1-e.exp_r)/(1-e.exp_r**e.valid):void 0,add:(e,t)=>e.exp=e.exp_r*e.exp+t,rem:(e,t)=>e.exp=(e.
exp-t/e.exp_r**(e.valid-1))/e.exp_r},exponentialb:{value:e=>e.valid?e.exp*(1-e.exp_r):void 0,req:["exponential"],idx:1}},qc=Object.keys(Lc).filter(e=>e!=="__cou\
nt__");function zz(e,t){return(n,r)=>oe({name:e,aggregate_param:r,out:n||e},Iz,t)}[...qc,"__count__"].forEach(e=>{Lc[e]=zz(e,Lc[e])});function r_(e,t,n){return Lc[e](
n,t)}function i_(e,t){return e.idx-t.idx}function Lz(e){let t={};e.forEach(r=>t[r.name]=r);let n=r=>{r.req&&r.req.forEach(i=>{t[i]||n(t[i]=Lc[i]())})};return e.
forEach(n),Object.values(t).sort(i_)}function Uz(){this.valid=0,this.missing=0,this._ops.forEach(e=>e.aggregate_param==null?e.init(this):e.init(this,e.aggregate_param))}
function qz(e,t){if(e==null||e===""){++this.missing;return}e===e&&(++this.valid,this._ops.forEach(n=>n.add(this,e,t)))}function jz(e,t){if(e==null||e===""){--this.
missing;return}e===e&&(--this.valid,this._ops.forEach(n=>n.rem(this,e,t)))}function Wz(e){return this._out.forEach(t=>e[t.out]=t.value(this)),e}function a_(e,t){
let n=t||Et,r=Lz(e),i=e.slice().sort(i_);function a(o){this._ops=r,this._out=i,this.cell=o,this.init()}return a.prototype.init=Uz,a.prototype.add=qz,a.prototype.
rem=jz,a.prototype.set=Wz,a.prototype.get=n,a.fields=e.map(o=>o.out),a}function cb(e){this._key=e?gt(e):re,this.reset()}var Xt=cb.prototype;Xt.reset=function(){
this._add=[],this._rem=[],this._ext=null,this._get=null,this._q=null};Xt.add=function(e){this._add.push(e)};Xt.rem=function(e){this._rem.push(e)};Xt.values=function(){
if(this._get=null,this._rem.length===0)return this._add;let e=this._add,t=this._rem,n=this._key,r=e.length,i=t.length,a=Array(r-i),o={},s,u,l;for(s=0;s<i;++s)o[n(
t[s])]=1;for(s=0,u=0;s<r;++s)o[n(l=e[s])]?o[n(l)]=0:a[u++]=l;return this._rem=[],this._add=a};Xt.distinct=function(e){let t=this.values(),n={},r=t.length,i=0,a;
for(;--r>=0;)a=e(t[r])+"",Y(n,a)||(n[a]=1,++i);return i};Xt.extent=function(e){if(this._get!==e||!this._ext){let t=this.values(),n=xh(t,e);this._ext=[t[n[0]],t[n[1]]],
this._get=e}return this._ext};Xt.argmin=function(e){return this.extent(e)[0]||{}};Xt.argmax=function(e){return this.extent(e)[1]||{}};Xt.min=function(e){let t=this.
extent(e)[0];return t!=null?e(t):void 0};Xt.max=function(e){let t=this.extent(e)[1];return t!=null?e(t):void 0};Xt.quartile=function(e){return(this._get!==e||!this.
_q)&&(this._q=Gy(this.values(),e),this._get=e),this._q};Xt.q1=function(e){return this.quartile(e)[0]};Xt.q2=function(e){return this.quartile(e)[1]};Xt.q3=function(e){
return this.quartile(e)[2]};Xt.ci=function(e){return(this._get!==e||!this._ci)&&(this._ci=qC(this.values(),1e3,.05,e),this._get=e),this._ci};Xt.ci0=function(e){
return this.ci(e)[0]};Xt.ci1=function(e){return this.ci(e)[1]};function ao(e){T.call(this,null,e),this._adds=[],this._mods=[],this._alen=0,this._mlen=0,this._drop=
!0,this._cross=!1,this._dims=[],this._dnames=[],this._measures=[],this._countOnly=!1,this._counts=null,this._prev=null,this._inputs=null,this._outputs=null}ao.Definition=
{type:"Aggregate",metadata:{generates:!0,changes:!0},params:[{name:"groupby",type:"field",array:!0},{name:"ops",type:"enum",array:!0,values:qc},{name:"aggregate\
_params",type:"number",null:!0,array:!0},{name:"fields",type:"field",null:!0,array:!0},{name:"as",type:"string",null:!0,array:!0},{name:"drop",type:"boolean",default:!0},
{name:"cross",type:"boolean",default:!1},{name:"key",type:"field"}]};z(ao,T,{transform(e,t){let n=this,r=t.fork(t.NO_SOURCE|t.NO_FIELDS),i=e.modified();return n.
stamp=r.stamp,n.value&&(i||t.modified(n._inputs,!0))?(n._prev=n.value,n.value=i?n.init(e):Object.create(null),t.visit(t.SOURCE,a=>n.add(a))):(n.value=n.value||n.
init(e),t.visit(t.REM,a=>n.rem(a)),t.visit(t.ADD,a=>n.add(a))),r.modifies(n._outputs),n._drop=e.drop!==!1,e.cross&&n._dims.length>1&&(n._drop=!1,n.cross()),t.clean()&&
n._drop&&r.clean(!0).runAfter(()=>this.clean()),n.changes(r)},cross(){let e=this,t=e.value,n=e._dnames,r=n.map(()=>({})),i=n.length;function a(s){let u,l,c,f;for(u in s)
for(c=s[u].tuple,l=0;l<i;++l)r[l][f=c[n[l]]]=f}a(e._prev),a(t);function o(s,u,l){let c=n[l],f=r[l++];for(let d in f){let h=s?s+"|"+d:d;u[c]=f[d],l<i?o(h,u,l):t[h]||
e.cell(h,u)}}o("",{},0)},init(e){let t=this._inputs=[],n=this._outputs=[],r={};function i(b){let x=H(At(b)),v=x.length,w=0,E;for(;w<v;++w)r[E=x[w]]||(r[E]=1,t.push(
E))}this._dims=H(e.groupby),this._dnames=this._dims.map(b=>{let x=Ge(b);return i(b),n.push(x),x}),this.cellkey=e.key?e.key:lb(this._dims),this._countOnly=!0,this.
_counts=[],this._measures=[];let a=e.fields||[null],o=e.ops||["count"],s=e.aggregate_params||[null],u=e.as||[],l=a.length,c={},f,d,h,p,g,m,y;for(l!==o.length&&D(
"Unmatched number of fields and aggregate ops."),y=0;y<l;++y){if(f=a[y],d=o[y],h=s[y]||null,f==null&&d!=="count"&&D("Null aggregate field specified."),g=Ge(f),m=
n_(d,g,u[y]),n.push(m),d==="count"){this._counts.push(m);continue}p=c[g],p||(i(f),p=c[g]=[],p.field=f,this._measures.push(p)),d!=="count"&&(this._countOnly=!1),
p.push(r_(d,h,m))}return this._measures=this._measures.map(b=>a_(b,b.field)),Object.create(null)},cellkey:lb(),cell(e,t){let n=this.value[e];return n?n.num===0&&
this._drop&&n.stamp<this.stamp?(n.stamp=this.stamp,this._adds[this._alen++]=n):n.stamp<this.stamp&&(n.stamp=this.stamp,this._mods[this._mlen++]=n):(n=this.value[e]=
this.newcell(e,t),this._adds[this._alen++]=n),n},newcell(e,t){let n={key:e,num:0,agg:null,tuple:this.newtuple(t,this._prev&&this._prev[e]),stamp:this.stamp,store:!1};
if(!this._countOnly){let r=this._measures,i=r.length;n.agg=Array(i);for(let a=0;a<i;++a)n.agg[a]=new r[a](n)}return n.store&&(n.data=new cb),n},newtuple(e,t){let n=this.
_dnames,r=this._dims,i=r.length,a={};for(let o=0;o<i;++o)a[n[o]]=r[o](e);return t?Zh(t.tuple,a):Se(a)},clean(){let e=this.value;for(let t in e)e[t].num===0&&delete e[t]},
add(e){let t=this.cellkey(e),n=this.cell(t,e);if(n.num+=1,this._countOnly)return;n.store&&n.data.add(e);let r=n.agg;for(let i=0,a=r.length;i<a;++i)r[i].add(r[i].
get(e),e)},rem(e){let t=this.cellkey(e),n=this.cell(t,e);if(n.num-=1,this._countOnly)return;n.store&&n.data.rem(e);let r=n.agg;for(let i=0,a=r.length;i<a;++i)r[i].
rem(r[i].get(e),e)},celltuple(e){let t=e.tuple,n=this._counts;e.store&&e.data.values();for(let r=0,i=n.length;r<i;++r)t[n[r]]=e.num;if(!this._countOnly){let r=e.
agg;for(let i=0,a=r.length;i<a;++i)r[i].set(t)}return t},changes(e){let t=this._adds,n=this._mods,r=this._prev,i=this._drop,a=e.add,o=e.rem,s=e.mod,u,l,c,f;if(r)
for(l in r)u=r[l],(!i||u.num)&&o.push(u.tuple);for(c=0,f=this._alen;c<f;++c)a.push(this.celltuple(t[c])),t[c]=null;for(c=0,f=this._mlen;c<f;++c)u=n[c],(u.num===
0&&i?o:s).push(this.celltuple(u)),n[c]=null;return this._alen=this._mlen=0,this._prev=null,e}});var Gz=1e-14;function fb(e){T.call(this,null,e)}fb.Definition={type:"\
Bin",metadata:{modifies:!0},params:[{name:"field",type:"field",required:!0},{name:"interval",type:"boolean",default:!0},{name:"anchor",type:"number"},{name:"max\
bins",type:"number",default:20},{name:"base",type:"number",default:10},{name:"divide",type:"number",array:!0,default:[5,2]},{name:"extent",type:"number",array:!0,
length:2,required:!0},{name:"span",type:"number"},{name:"step",type:"number"},{name:"steps",type:"number",array:!0},{name:"minstep",type:"number",default:0},{name:"\
nice",type:"boolean",default:!0},{name:"name",type:"string"},{name:"as",type:"string",array:!0,length:2,default:["bin0","bin1"]}]};z(fb,T,{transform(e,t){let n=e.
interval!==!1,r=this._bins(e),i=r.start,a=r.step,o=e.as||["bin0","bin1"],s=o[0],u=o[1],l;return e.modified()?(t=t.reflow(!0),l=t.SOURCE):l=t.modified(At(e.field))?
t.ADD_MOD:t.ADD,t.visit(l,n?c=>{let f=r(c);c[s]=f,c[u]=f==null?null:i+a*(1+(f-i)/a)}:c=>c[s]=r(c)),t.modifies(n?o:s)},_bins(e){if(this.value&&!e.modified())return this.
value;let t=e.field,n=UC(e),r=n.step,i=n.start,a=i+Math.ceil((n.stop-i)/r)*r,o,s;(o=e.anchor)!=null&&(s=o-(i+r*Math.floor((o-i)/r)),i+=s,a+=s);let u=function(l){
let c=at(t(l));return c==null?null:c<i?-1/0:c>a?1/0:(c=Math.max(i,Math.min(c,a-r)),i+r*Math.floor(Gz+(c-i)/r))};return u.start=i,u.stop=a,u.step=r,this.value=pt(
u,At(t),e.name||"bin_"+Ge(t))}});function o_(e,t,n){let r=e,i=t||[],a=n||[],o={},s=0;return{add:u=>a.push(u),remove:u=>o[r(u)]=++s,size:()=>i.length,data:(u,l)=>(s&&
(i=i.filter(c=>!o[r(c)]),o={},s=0),l&&u&&i.sort(u),a.length&&(i=u?Ah(u,i,a.sort(u)):i.concat(a),a=[]),i)}}function db(e){T.call(this,[],e)}db.Definition={type:"\
Collect",metadata:{source:!0},params:[{name:"sort",type:"compare"}]};z(db,T,{transform(e,t){let n=t.fork(t.ALL),r=o_(re,this.value,n.materialize(n.ADD).add),i=e.
sort,a=t.changed()||i&&(e.modified("sort")||t.modified(i.fields));return n.visit(n.REM,r.remove),this.modified(a),this.value=n.source=r.data(wi(i),a),t.source&&
t.source.root&&(this.value.root=t.source.root),n}});function s_(e){Ie.call(this,null,Hz,e)}z(s_,Ie);function Hz(e){return this.value&&!e.modified()?this.value:_u(
e.fields,e.orders)}function hb(e){T.call(this,null,e)}hb.Definition={type:"CountPattern",metadata:{generates:!0,changes:!0},params:[{name:"field",type:"field",required:!0},
{name:"case",type:"enum",values:["upper","lower","mixed"],default:"mixed"},{name:"pattern",type:"string",default:'[\\w"]+'},{name:"stopwords",type:"string",default:""},
{name:"as",type:"string",array:!0,length:2,default:["text","count"]}]};function Yz(e,t,n){switch(t){case"upper":e=e.toUpperCase();break;case"lower":e=e.toLowerCase();
break}return e.match(n)}z(hb,T,{transform(e,t){let n=f=>d=>{for(var h=Yz(s(d),e.case,a)||[],p,g=0,m=h.length;g<m;++g)o.test(p=h[g])||f(p)},r=this._parameterCheck(
e,t),i=this._counts,a=this._match,o=this._stop,s=e.field,u=e.as||["text","count"],l=n(f=>i[f]=1+(i[f]||0)),c=n(f=>i[f]-=1);return r?t.visit(t.SOURCE,l):(t.visit(
t.ADD,l),t.visit(t.REM,c)),this._finish(t,u)},_parameterCheck(e,t){let n=!1;return(e.modified("stopwords")||!this._stop)&&(this._stop=new RegExp("^"+(e.stopwords||
"")+"$","i"),n=!0),(e.modified("pattern")||!this._match)&&(this._match=new RegExp(e.pattern||"[\\w']+","g"),n=!0),(e.modified("field")||t.modified(e.field.fields))&&
(n=!0),n&&(this._counts={}),n},_finish(e,t){let n=this._counts,r=this._tuples||(this._tuples={}),i=t[0],a=t[1],o=e.fork(e.NO_SOURCE|e.NO_FIELDS),s,u,l;for(s in n)
u=r[s],l=n[s]||0,!u&&l?(r[s]=u=Se({}),u[i]=s,u[a]=l,o.add.push(u)):l===0?(u&&o.rem.push(u),n[s]=null,r[s]=null):u[a]!==l&&(u[a]=l,o.mod.push(u));return o.modifies(
t)}});function pb(e){T.call(this,null,e)}pb.Definition={type:"Cross",metadata:{generates:!0},params:[{name:"filter",type:"expr"},{name:"as",type:"string",array:!0,
length:2,default:["a","b"]}]};z(pb,T,{transform(e,t){let n=t.fork(t.NO_SOURCE),r=e.as||["a","b"],i=r[0],a=r[1],o=!this.value||t.changed(t.ADD_REM)||e.modified("\
as")||e.modified("filter"),s=this.value;return o?(s&&(n.rem=s),s=t.materialize(t.SOURCE).source,n.add=this.value=Vz(s,i,a,e.filter||_t)):n.mod=s,n.source=this.value,
n.modifies(r)}});function Vz(e,t,n,r){for(var i=[],a={},o=e.length,s=0,u,l;s<o;++s)for(a[t]=l=e[s],u=0;u<o;++u)a[n]=e[u],r(a)&&(i.push(Se(a)),a={},a[t]=l);return i}
var JC={kde:Xy,mixture:HC,normal:Vy,lognormal:GC,uniform:YC},Xz="distributions",e_="function",Kz="field";function u_(e,t){let n=e[e_];Y(JC,n)||D("Unknown distri\
bution function: "+n);let r=JC[n]();for(let i in e)i===Kz?r.data((e.from||t()).map(e[i])):i===Xz?r[i](e[i].map(a=>u_(a,t))):typeof r[i]===e_&&r[i](e[i]);return r}
function gb(e){T.call(this,null,e)}var l_=[{key:{function:"normal"},params:[{name:"mean",type:"number",default:0},{name:"stdev",type:"number",default:1}]},{key:{
function:"lognormal"},params:[{name:"mean",type:"number",default:0},{name:"stdev",type:"number",default:1}]},{key:{function:"uniform"},params:[{name:"min",type:"\
number",default:0},{name:"max",type:"number",default:1}]},{key:{function:"kde"},params:[{name:"field",type:"field",required:!0},{name:"from",type:"data"},{name:"\
bandwidth",type:"number",default:0}]}],Qz={key:{function:"mixture"},params:[{name:"distributions",type:"param",array:!0,params:l_},{name:"weights",type:"number",
array:!0}]};gb.Definition={type:"Density",metadata:{generates:!0},params:[{name:"extent",type:"number",array:!0,length:2},{name:"steps",type:"number"},{name:"mi\
nsteps",type:"number",default:25},{name:"maxsteps",type:"number",default:200},{name:"method",type:"string",default:"pdf",values:["pdf","cdf"]},{name:"distributi\
on",type:"param",params:l_.concat(Qz)},{name:"as",type:"string",array:!0,default:["value","density"]}]};z(gb,T,{transform(e,t){let n=t.fork(t.NO_SOURCE|t.NO_FIELDS);
if(!this.value||t.changed()||e.modified()){let r=u_(e.distribution,Zz(t)),i=e.steps||e.minsteps||25,a=e.steps||e.maxsteps||200,o=e.method||"pdf";o!=="pdf"&&o!==
"cdf"&&D("Invalid density method: "+o),!e.extent&&!r.data&&D("Missing density extent parameter."),o=r[o];let s=e.as||["value","density"],u=e.extent||on(r.data()),
l=zc(o,u,i,a).map(c=>{let f={};return f[s[0]]=c[0],f[s[1]]=c[1],Se(f)});this.value&&(n.rem=this.value),this.value=n.add=n.source=l}return n}});function Zz(e){return()=>e.
materialize(e.SOURCE).source}function c_(e,t){return e?e.map((n,r)=>t[r]||Ge(n)):null}function mb(e,t,n){let r=[],i=f=>f(u),a,o,s,u,l,c;if(t==null)r.push(e.map(
n));else for(a={},o=0,s=e.length;o<s;++o)u=e[o],l=t.map(i),c=a[l],c||(a[l]=c=[],c.dims=l,r.push(c)),c.push(n(u));return r}var f_="bin";function yb(e){T.call(this,
null,e)}yb.Definition={type:"DotBin",metadata:{modifies:!0},params:[{name:"field",type:"field",required:!0},{name:"groupby",type:"field",array:!0},{name:"step",
type:"number"},{name:"smooth",type:"boolean",default:!1},{name:"as",type:"string",default:f_}]};var Jz=(e,t)=>ns(on(e,t))/30;z(yb,T,{transform(e,t){if(this.value&&
!(e.modified()||t.changed()))return t;let n=t.materialize(t.SOURCE).source,r=mb(t.source,e.groupby,Et),i=e.smooth||!1,a=e.field,o=e.step||Jz(n,a),s=wi((p,g)=>a(
p)-a(g)),u=e.as||f_,l=r.length,c=1/0,f=-1/0,d=0,h;for(;d<l;++d){let p=r[d].sort(s);h=-1;for(let g of jC(p,o,i,a))g<c&&(c=g),g>f&&(f=g),p[++h][u]=g}return this.value=
{start:c,stop:f,step:o},t.reflow(!0).modifies(u)}});function d_(e){Ie.call(this,null,eL,e),this.modified(!0)}z(d_,Ie);function eL(e){let t=e.expr;return this.value&&
!e.modified("expr")?this.value:pt(n=>t(n,e),At(t),Ge(t))}function bb(e){T.call(this,[void 0,void 0],e)}bb.Definition={type:"Extent",metadata:{},params:[{name:"f\
ield",type:"field",required:!0}]};z(bb,T,{transform(e,t){let n=this.value,r=e.field,i=t.changed()||t.modified(r.fields)||e.modified("field"),a=n[0],o=n[1];if((i||
a==null)&&(a=1/0,o=-1/0),t.visit(i?t.SOURCE:t.ADD,s=>{let u=at(r(s));u!=null&&(u<a&&(a=u),u>o&&(o=u))}),!Number.isFinite(a)||!Number.isFinite(o)){let s=Ge(r);s&&
(s=` for field "${s}"`),t.dataflow.warn(`Infinite extent${s}: [${a}, ${o}]`),a=o=void 0}this.value=[a,o]}});function xb(e,t){Ie.call(this,e),this.parent=t,this.
count=0}z(xb,Ie,{connect(e){return this.detachSubflow=e.detachSubflow,this.targets().add(e),e.source=this},add(e){this.count+=1,this.value.add.push(e)},rem(e){this.
count-=1,this.value.rem.push(e)},mod(e){this.value.mod.push(e)},init(e){this.value.init(e,e.NO_SOURCE)},evaluate(){return this.value}});function a0(e){T.call(this,
{},e),this._keys=Ji();let t=this._targets=[];t.active=0,t.forEach=n=>{for(let r=0,i=t.active;r<i;++r)n(t[r],r,t)}}z(a0,T,{activate(e){this._targets[this._targets.
active++]=e},subflow(e,t,n,r){let i=this.value,a=Y(i,e)&&i[e],o,s;return a?a.value.stamp<n.stamp&&(a.init(n),this.activate(a)):(s=r||(s=this._group[e])&&s.tuple,
o=n.dataflow,a=new xb(n.fork(n.NO_SOURCE),this),o.add(a).connect(t(o,e,s)),i[e]=a,this.activate(a)),a},clean(){let e=this.value,t=0;for(let n in e)if(e[n].count===
0){let r=e[n].detachSubflow;r&&r(),delete e[n],++t}if(t){let n=this._targets.filter(r=>r&&r.count>0);this.initTargets(n)}},initTargets(e){let t=this._targets,n=t.
length,r=e?e.length:0,i=0;for(;i<r;++i)t[i]=e[i];for(;i<n&&t[i]!=null;++i)t[i]=null;t.active=r},transform(e,t){let n=t.dataflow,r=e.key,i=e.subflow,a=this._keys,
o=e.modified("key"),s=u=>this.subflow(u,i,t);return this._group=e.group||{},this.initTargets(),t.visit(t.REM,u=>{let l=re(u),c=a.get(l);c!==void 0&&(a.delete(l),
s(c).rem(u))}),t.visit(t.ADD,u=>{let l=r(u);a.set(re(u),l),s(l).add(u)}),o||t.modified(r.fields)?t.visit(t.MOD,u=>{let l=re(u),c=a.get(l),f=r(u);c===f?s(f).mod(
u):(a.set(l,f),s(c).rem(u),s(f).add(u))}):t.changed(t.MOD)&&t.visit(t.MOD,u=>{s(a.get(re(u))).mod(u)}),o&&t.visit(t.REFLOW,u=>{let l=re(u),c=a.get(l),f=r(u);c!==
f&&(a.set(l,f),s(c).rem(u),s(f).add(u))}),t.clean()?n.runAfter(()=>{this.clean(),a.clean()}):a.empty>n.cleanThreshold&&n.runAfter(a.clean),t}});function h_(e){Ie.
call(this,null,tL,e)}z(h_,Ie);function tL(e){return this.value&&!e.modified()?this.value:R(e.name)?H(e.name).map(t=>gt(t)):gt(e.name,e.as)}function vb(e){T.call(
this,Ji(),e)}vb.Definition={type:"Filter",metadata:{changes:!0},params:[{name:"expr",type:"expr",required:!0}]};z(vb,T,{transform(e,t){let n=t.dataflow,r=this.value,
i=t.fork(),a=i.add,o=i.rem,s=i.mod,u=e.expr,l=!0;t.visit(t.REM,f=>{let d=re(f);r.has(d)?r.delete(d):o.push(f)}),t.visit(t.ADD,f=>{u(f,e)?a.push(f):r.set(re(f),1)});
function c(f){let d=re(f),h=u(f,e),p=r.get(d);h&&p?(r.delete(d),a.push(f)):!h&&!p?(r.set(d,1),o.push(f)):l&&h&&!p&&s.push(f)}return t.visit(t.MOD,c),e.modified()&&
(l=!1,t.visit(t.REFLOW,c)),r.empty>n.cleanThreshold&&n.runAfter(r.clean),i}});function wb(e){T.call(this,[],e)}wb.Definition={type:"Flatten",metadata:{generates:!0},
params:[{name:"fields",type:"field",array:!0,required:!0},{name:"index",type:"string"},{name:"as",type:"string",array:!0}]};z(wb,T,{transform(e,t){let n=t.fork(
t.NO_SOURCE),r=e.fields,i=c_(r,e.as||[]),a=e.index||null,o=i.length;return n.rem=this.value,t.visit(t.SOURCE,s=>{let u=r.map(p=>p(s)),l=u.reduce((p,g)=>Math.max(
p,g.length),0),c=0,f,d,h;for(;c<l;++c){for(d=Qh(s),f=0;f<o;++f)d[i[f]]=(h=u[f][c])==null?null:h;a&&(d[a]=c),n.add.push(d)}}),this.value=n.source=n.add,a&&n.modifies(
a),n.modifies(i)}});function Ab(e){T.call(this,[],e)}Ab.Definition={type:"Fold",metadata:{generates:!0},params:[{name:"fields",type:"field",array:!0,required:!0},
{name:"as",type:"string",array:!0,length:2,default:["key","value"]}]};z(Ab,T,{transform(e,t){let n=t.fork(t.NO_SOURCE),r=e.fields,i=r.map(Ge),a=e.as||["key","va\
lue"],o=a[0],s=a[1],u=r.length;return n.rem=this.value,t.visit(t.SOURCE,l=>{for(let c=0,f;c<u;++c)f=Qh(l),f[o]=i[c],f[s]=r[c](l),n.add.push(f)}),this.value=n.source=
n.add,n.modifies(a)}});function Eb(e){T.call(this,null,e)}Eb.Definition={type:"Formula",metadata:{modifies:!0},params:[{name:"expr",type:"expr",required:!0},{name:"\
as",type:"string",required:!0},{name:"initonly",type:"boolean"}]};z(Eb,T,{transform(e,t){let n=e.expr,r=e.as,i=e.modified(),a=e.initonly?t.ADD:i?t.SOURCE:t.modified(
n.fields)||t.modified(r)?t.ADD_MOD:t.ADD;return i&&(t=t.materialize().reflow(!0)),e.initonly||t.modifies(r),t.visit(a,o=>o[r]=n(o,e))}});function p_(e){T.call(this,
[],e)}z(p_,T,{transform(e,t){let n=t.fork(t.ALL),r=e.generator,i=this.value,a=e.size-i.length,o,s,u;if(a>0){for(o=[];--a>=0;)o.push(u=Se(r(e))),i.push(u);n.add=
n.add.length?n.materialize(n.ADD).add.concat(o):o}else s=i.slice(0,-a),n.rem=n.rem.length?n.materialize(n.REM).rem.concat(s):s,i=i.slice(-a);return n.source=this.
value=i,n}});var i0={value:"value",median:Rh,mean:lS,min:Dh,max:na},nL=[];function Sb(e){T.call(this,[],e)}Sb.Definition={type:"Impute",metadata:{changes:!0},params:[
{name:"field",type:"field",required:!0},{name:"key",type:"field",required:!0},{name:"keyvals",array:!0},{name:"groupby",type:"field",array:!0},{name:"method",type:"\
enum",default:"value",values:["value","mean","median","max","min"]},{name:"value",default:0}]};function rL(e){var t=e.method||i0.value,n;if(i0[t]==null)D("Unrec\
ognized imputation method: "+t);else return t===i0.value?(n=e.value!==void 0?e.value:0,()=>n):i0[t]}function iL(e){let t=e.field;return n=>n?t(n):NaN}z(Sb,T,{transform(e,t){
var n=t.fork(t.ALL),r=rL(e),i=iL(e),a=Ge(e.field),o=Ge(e.key),s=(e.groupby||[]).map(Ge),u=aL(t.source,e.groupby,e.key,e.keyvals),l=[],c=this.value,f=u.domain.length,
d,h,p,g,m,y,b,x,v,w;for(m=0,x=u.length;m<x;++m)for(d=u[m],p=d.values,h=NaN,b=0;b<f;++b)if(d[b]==null){for(g=u.domain[b],w={_impute:!0},y=0,v=p.length;y<v;++y)w[s[y]]=
p[y];w[o]=g,w[a]=Number.isNaN(h)?h=r(d,i):h,l.push(Se(w))}return l.length&&(n.add=n.materialize(n.ADD).add.concat(l)),c.length&&(n.rem=n.materialize(n.REM).rem.
concat(c)),this.value=l,n}});function aL(e,t,n,r){var i=y=>y(m),a=[],o=r?r.slice():[],s={},u={},l,c,f,d,h,p,g,m;for(o.forEach((y,b)=>s[y]=b+1),d=0,g=e.length;d<
g;++d)m=e[d],p=n(m),h=s[p]||(s[p]=o.push(p)),c=(l=t?t.map(i):nL)+"",(f=u[c])||(f=u[c]=[],a.push(f),f.values=l),f[h-1]=m;return a.domain=o,a}function Cb(e){ao.call(
this,e)}Cb.Definition={type:"JoinAggregate",metadata:{modifies:!0},params:[{name:"groupby",type:"field",array:!0},{name:"fields",type:"field",null:!0,array:!0},
{name:"ops",type:"enum",array:!0,values:qc},{name:"as",type:"string",null:!0,array:!0},{name:"key",type:"field"}]};z(Cb,ao,{transform(e,t){let n=this,r=e.modified(),
i;return n.value&&(r||t.modified(n._inputs,!0))?(i=n.value=r?n.init(e):{},t.visit(t.SOURCE,a=>n.add(a))):(i=n.value=n.value||this.init(e),t.visit(t.REM,a=>n.rem(
a)),t.visit(t.ADD,a=>n.add(a))),n.changes(),t.visit(t.SOURCE,a=>{oe(a,i[n.cellkey(a)].tuple)}),t.reflow(r).modifies(this._outputs)},changes(){let e=this._adds,t=this.
_mods,n,r;for(n=0,r=this._alen;n<r;++n)this.celltuple(e[n]),e[n]=null;for(n=0,r=this._mlen;n<r;++n)this.celltuple(t[n]),t[n]=null;this._alen=this._mlen=0}});function _b(e){
T.call(this,null,e)}_b.Definition={type:"KDE",metadata:{generates:!0},params:[{name:"groupby",type:"field",array:!0},{name:"field",type:"field",required:!0},{name:"\
cumulative",type:"boolean",default:!1},{name:"counts",type:"boolean",default:!1},{name:"bandwidth",type:"number",default:0},{name:"extent",type:"number",array:!0,
length:2},{name:"resolve",type:"enum",values:["shared","independent"],default:"independent"},{name:"steps",type:"number"},{name:"minsteps",type:"number",default:25},
{name:"maxsteps",type:"number",default:200},{name:"as",type:"string",array:!0,default:["value","density"]}]};z(_b,T,{transform(e,t){let n=t.fork(t.NO_SOURCE|t.NO_FIELDS);
if(!this.value||t.changed()||e.modified()){let r=t.materialize(t.SOURCE).source,i=mb(r,e.groupby,e.field),a=(e.groupby||[]).map(Ge),o=e.bandwidth,s=e.cumulative?
"cdf":"pdf",u=e.as||["value","density"],l=[],c=e.extent,f=e.steps||e.minsteps||25,d=e.steps||e.maxsteps||200;s!=="pdf"&&s!=="cdf"&&D("Invalid density method: "+
s),e.resolve==="shared"&&(c||(c=on(r,e.field)),f=d=e.steps||d),i.forEach(h=>{let p=Xy(h,o)[s],g=e.counts?h.length:1,m=c||on(h);zc(p,m,f,d).forEach(y=>{let b={};
for(let x=0;x<a.length;++x)b[a[x]]=h.dims[x];b[u[0]]=y[0],b[u[1]]=y[1]*g,l.push(Se(b))})}),this.value&&(n.rem=this.value),this.value=n.add=n.source=l}return n}});
function g_(e){Ie.call(this,null,oL,e)}z(g_,Ie);function oL(e){return this.value&&!e.modified()?this.value:Fu(e.fields,e.flat)}function m_(e){T.call(this,[],e),
this._pending=null}z(m_,T,{transform(e,t){let n=t.dataflow;return this._pending?ub(this,t,this._pending):sL(e)?t.StopPropagation:e.values?ub(this,t,n.parse(e.values,
e.format)):e.async?{async:n.request(e.url,e.format).then(i=>(this._pending=H(i.data),a=>a.touch(this)))}:n.request(e.url,e.format).then(r=>ub(this,t,H(r.data)))}});
function sL(e){return e.modified("async")&&!(e.modified("values")||e.modified("url")||e.modified("format"))}function ub(e,t,n){n.forEach(Se);let r=t.fork(t.NO_FIELDS&
t.NO_SOURCE);return r.rem=e.value,e.value=r.source=r.add=n,e._pending=null,r.rem.length&&r.clean(!0),r}function kb(e){T.call(this,{},e)}kb.Definition={type:"Loo\
kup",metadata:{modifies:!0},params:[{name:"index",type:"index",params:[{name:"from",type:"data",required:!0},{name:"key",type:"field",required:!0}]},{name:"valu\
es",type:"field",array:!0},{name:"fields",type:"field",array:!0,required:!0},{name:"as",type:"string",array:!0},{name:"default",default:null}]};z(kb,T,{transform(e,t){
let n=e.fields,r=e.index,i=e.values,a=e.default==null?null:e.default,o=e.modified(),s=n.length,u=o?t.SOURCE:t.ADD,l=t,c=e.as,f,d,h;return i?(d=i.length,s>1&&!c&&
D('Multi-field lookup requires explicit "as" parameter.'),c&&c.length!==s*d&&D('The "as" parameter has too few output field names.'),c=c||i.map(Ge),f=function(p){
for(var g=0,m=0,y,b;g<s;++g)if(b=r.get(n[g](p)),b==null)for(y=0;y<d;++y,++m)p[c[m]]=a;else for(y=0;y<d;++y,++m)p[c[m]]=i[y](b)}):(c||D("Missing output field nam\
es."),f=function(p){for(var g=0,m;g<s;++g)m=r.get(n[g](p)),p[c[g]]=m??a}),o?l=t.reflow(!0):(h=n.some(p=>t.modified(p.fields)),u|=h?t.MOD:0),t.visit(u,f),l.modifies(
c)}});function y_(e){Ie.call(this,null,uL,e)}z(y_,Ie);function uL(e){if(this.value&&!e.modified())return this.value;let t=e.extents,n=t.length,r=1/0,i=-1/0,a,o;
for(a=0;a<n;++a)o=t[a],o[0]<r&&(r=o[0]),o[1]>i&&(i=o[1]);return[r,i]}function b_(e){Ie.call(this,null,lL,e)}z(b_,Ie);function lL(e){return this.value&&!e.modified()?
this.value:e.values.reduce((t,n)=>t.concat(n),[])}function x_(e){T.call(this,null,e)}z(x_,T,{transform(e,t){return this.modified(e.modified()),this.value=e,t.fork(
t.NO_SOURCE|t.NO_FIELDS)}});function Fb(e){ao.call(this,e)}Fb.Definition={type:"Pivot",metadata:{generates:!0,changes:!0},params:[{name:"groupby",type:"field",array:!0},
{name:"field",type:"field",required:!0},{name:"value",type:"field",required:!0},{name:"op",type:"enum",values:qc,default:"sum"},{name:"limit",type:"number",default:0},
{name:"key",type:"field"}]};z(Fb,ao,{_transform:ao.prototype.transform,transform(e,t){return this._transform(cL(e,t),t)}});function cL(e,t){let n=e.field,r=e.value,
i=(e.op==="count"?"__count__":e.op)||"sum",a=At(n).concat(At(r)),o=dL(n,e.limit||0,t);return t.changed()&&e.set("__pivot__",null,null,!0),{key:e.key,groupby:e.groupby,
ops:o.map(()=>i),fields:o.map(s=>fL(s,n,r,a)),as:o.map(s=>s+""),modified:e.modified.bind(e)}}function fL(e,t,n,r){return pt(i=>t(i)===e?n(i):NaN,r,e+"")}function dL(e,t,n){
let r={},i=[];return n.visit(n.SOURCE,a=>{let o=e(a);r[o]||(r[o]=1,i.push(o))}),i.sort(Zi),t?i.slice(0,t):i}function v_(e){a0.call(this,e)}z(v_,a0,{transform(e,t){
let n=e.subflow,r=e.field,i=a=>this.subflow(re(a),n,t,a);return(e.modified("field")||r&&t.modified(At(r)))&&D("PreFacet does not support field modification."),this.
initTargets(),r?(t.visit(t.MOD,a=>{let o=i(a);r(a).forEach(s=>o.mod(s))}),t.visit(t.ADD,a=>{let o=i(a);r(a).forEach(s=>o.add(Se(s)))}),t.visit(t.REM,a=>{let o=i(
a);r(a).forEach(s=>o.rem(s))})):(t.visit(t.MOD,a=>i(a).mod(a)),t.visit(t.ADD,a=>i(a).add(a)),t.visit(t.REM,a=>i(a).rem(a))),t.clean()&&t.runAfter(()=>this.clean()),
t}});function Mb(e){T.call(this,null,e)}Mb.Definition={type:"Project",metadata:{generates:!0,changes:!0},params:[{name:"fields",type:"field",array:!0},{name:"as",
type:"string",null:!0,array:!0}]};z(Mb,T,{transform(e,t){let n=t.fork(t.NO_SOURCE),r=e.fields,i=c_(e.fields,e.as||[]),a=r?(s,u)=>hL(s,u,r,i):ds,o;return this.value?
o=this.value:(t=t.addAll(),o=this.value={}),t.visit(t.REM,s=>{let u=re(s);n.rem.push(o[u]),o[u]=null}),t.visit(t.ADD,s=>{let u=a(s,Se({}));o[re(s)]=u,n.add.push(
u)}),t.visit(t.MOD,s=>{n.mod.push(a(s,o[re(s)]))}),n}});function hL(e,t,n,r){for(let i=0,a=n.length;i<a;++i)t[r[i]]=n[i](e);return t}function w_(e){T.call(this,
null,e)}z(w_,T,{transform(e,t){return this.value=e.value,e.modified("value")?t.fork(t.NO_SOURCE|t.NO_FIELDS):t.StopPropagation}});function Db(e){T.call(this,null,
e)}Db.Definition={type:"Quantile",metadata:{generates:!0,changes:!0},params:[{name:"groupby",type:"field",array:!0},{name:"field",type:"field",required:!0},{name:"\
probs",type:"number",array:!0},{name:"step",type:"number",default:.01},{name:"as",type:"string",array:!0,default:["prob","value"]}]};var pL=1e-14;z(Db,T,{transform(e,t){
let n=t.fork(t.NO_SOURCE|t.NO_FIELDS),r=e.as||["prob","value"];if(this.value&&!e.modified()&&!t.changed())return n.source=this.value,n;let i=t.materialize(t.SOURCE).
source,a=mb(i,e.groupby,e.field),o=(e.groupby||[]).map(Ge),s=[],u=e.step||.01,l=e.probs||St(u/2,1-pL,u),c=l.length;return a.forEach(f=>{let d=Wy(f,l);for(let h=0;h<
c;++h){let p={};for(let g=0;g<o.length;++g)p[o[g]]=f.dims[g];p[r[0]]=l[h],p[r[1]]=d[h],s.push(Se(p))}}),this.value&&(n.rem=this.value),this.value=n.add=n.source=
s,n}});function A_(e){T.call(this,null,e)}z(A_,T,{transform(e,t){let n,r;return this.value?r=this.value:(n=t=t.addAll(),r=this.value={}),e.derive&&(n=t.fork(t.NO_SOURCE),
t.visit(t.REM,i=>{let a=re(i);n.rem.push(r[a]),r[a]=null}),t.visit(t.ADD,i=>{let a=Qh(i);r[re(i)]=a,n.add.push(a)}),t.visit(t.MOD,i=>{let a=r[re(i)];for(let o in i)
a[o]=i[o],n.modifies(o);n.mod.push(a)})),n}});function $b(e){T.call(this,[],e),this.count=0}$b.Definition={type:"Sample",metadata:{},params:[{name:"size",type:"\
number",default:1e3}]};z($b,T,{transform(e,t){let n=t.fork(t.NO_SOURCE),r=e.modified("size"),i=e.size,a=this.value.reduce((c,f)=>(c[re(f)]=1,c),{}),o=this.value,
s=this.count,u=0;function l(c){let f,d;o.length<i?o.push(c):(d=~~((s+1)*yr()),d<o.length&&d>=u&&(f=o[d],a[re(f)]&&n.rem.push(f),o[d]=c)),++s}if(t.rem.length&&(t.
visit(t.REM,c=>{let f=re(c);a[f]&&(a[f]=-1,n.rem.push(c)),--s}),o=o.filter(c=>a[re(c)]!==-1)),(t.rem.length||r)&&o.length<i&&t.source&&(u=s=o.length,t.visit(t.SOURCE,
c=>{a[re(c)]||l(c)}),u=-1),r&&o.length>i){let c=o.length-i;for(let f=0;f<c;++f)a[re(o[f])]=-1,n.rem.push(o[f]);o=o.slice(c)}return t.mod.length&&t.visit(t.MOD,c=>{
a[re(c)]&&n.mod.push(c)}),t.add.length&&t.visit(t.ADD,l),(t.add.length||u<0)&&(n.add=o.filter(c=>!a[re(c)])),this.count=s,this.value=n.source=o,n}});function Tb(e){
T.call(this,null,e)}Tb.Definition={type:"Sequence",metadata:{generates:!0,changes:!0},params:[{name:"start",type:"number",required:!0},{name:"stop",type:"number",
required:!0},{name:"step",type:"number",default:1},{name:"as",type:"string",default:"data"}]};z(Tb,T,{transform(e,t){if(this.value&&!e.modified())return;let n=t.
materialize().fork(t.MOD),r=e.as||"data";return n.rem=this.value?t.rem.concat(this.value):t.rem,this.value=St(e.start,e.stop,e.step||1).map(i=>{let a={};return a[r]=
i,Se(a)}),n.add=t.add.concat(this.value),n}});function E_(e){T.call(this,null,e),this.modified(!0)}z(E_,T,{transform(e,t){return this.value=t.source,t.changed()?
t.fork(t.NO_SOURCE|t.NO_FIELDS):t.StopPropagation}});function Rb(e){T.call(this,null,e)}var S_=["unit0","unit1"];Rb.Definition={type:"TimeUnit",metadata:{modifies:!0},
params:[{name:"field",type:"field",required:!0},{name:"interval",type:"boolean",default:!0},{name:"units",type:"enum",values:Cy,array:!0},{name:"step",type:"num\
ber",default:1},{name:"maxbins",type:"number",default:40},{name:"extent",type:"date",array:!0},{name:"inferUnits",type:"boolean",default:!1},{name:"timezone",type:"\
enum",default:"local",values:["local","utc"]},{name:"as",type:"string",array:!0,length:2,default:S_}]};z(Rb,T,{transform(e,t){let n=e.field,r=e.interval!==!1,i=e.
timezone==="utc",a=this._floor(e,t),o=(i?Ja:Za)(a.unit).offset,s=e.as||S_,u=s[0],l=s[1],c=a.step,f=a.start||1/0,d=a.stop||-1/0,h=t.ADD;return(e.modified()||t.changed(
t.REM)||t.modified(At(n)))&&(t=t.reflow(!0),h=t.SOURCE,f=1/0,d=-1/0),t.visit(h,p=>{let g=n(p),m,y;g==null?(p[u]=null,r&&(p[l]=null)):(p[u]=m=y=a(g),r&&(p[l]=y=o(
m,c)),m<f&&(f=m),y>d&&(d=y))}),a.start=f,a.stop=d,t.modifies(r?s:u)},_floor(e,t){let n=e.timezone==="utc";e.inferUnits&&(e.units||e.step!=null||e.maxbins!=null||
e.extent)&&t.dataflow.warn("TimeUnit inferUnits overrides units, step, maxbins and extent.");let{units:r,step:i}=e.inferUnits?ZS(t.materialize(t.SOURCE).source,
e.field,n):e.units?{units:e.units,step:e.step||1}:QS({extent:e.extent||on(t.materialize(t.SOURCE).source,e.field),maxbins:e.maxbins}),a=_y(r),o=this.value||{},s=(n?
qS:US)(a,i);return s.unit=fe(a),s.units=a,s.step=i,s.start=o.start,s.stop=o.stop,this.value=s}});function C_(e){T.call(this,Ji(),e)}z(C_,T,{transform(e,t){let n=t.
dataflow,r=e.field,i=this.value,a=s=>i.set(r(s),s),o=!0;return e.modified("field")||t.modified(r.fields)?(i.clear(),t.visit(t.SOURCE,a)):t.changed()?(t.visit(t.
REM,s=>i.delete(r(s))),t.visit(t.ADD,a)):o=!1,this.modified(o),i.empty>n.cleanThreshold&&n.runAfter(i.clean),t.fork()}});function __(e){T.call(this,null,e)}z(__,
T,{transform(e,t){(!this.value||e.modified("field")||e.modified("sort")||t.changed()||e.sort&&t.modified(e.sort.fields))&&(this.value=(e.sort?t.source.slice().sort(
wi(e.sort)):t.source).map(e.field))}});function gL(e,t,n,r){let i=Uc[e](t,n);return{init:i.init||Br,update:function(a,o){o[r]=i.next(a)}}}var Uc={row_number:function(){
return{next:e=>e.index+1}},rank:function(){let e;return{init:()=>e=1,next:t=>{let n=t.index,r=t.data;return n&&t.compare(r[n-1],r[n])?e=n+1:e}}},dense_rank:function(){
let e;return{init:()=>e=1,next:t=>{let n=t.index,r=t.data;return n&&t.compare(r[n-1],r[n])?++e:e}}},percent_rank:function(){let e=Uc.rank(),t=e.next;return{init:e.
init,next:n=>(t(n)-1)/(n.data.length-1)}},cume_dist:function(){let e;return{init:()=>e=0,next:t=>{let n=t.data,r=t.compare,i=t.index;if(e<i){for(;i+1<n.length&&
!r(n[i],n[i+1]);)++i;e=i}return(1+e)/n.length}}},ntile:function(e,t){t=+t,t>0||D("ntile num must be greater than zero.");let n=Uc.cume_dist(),r=n.next;return{init:n.
init,next:i=>Math.ceil(t*r(i))}},lag:function(e,t){return t=+t||1,{next:n=>{let r=n.index-t;return r>=0?e(n.data[r]):null}}},lead:function(e,t){return t=+t||1,{
next:n=>{let r=n.index+t,i=n.data;return r<i.length?e(i[r]):null}}},first_value:function(e){return{next:t=>e(t.data[t.i0])}},last_value:function(e){return{next:t=>e(
t.data[t.i1-1])}},nth_value:function(e,t){return t=+t,t>0||D("nth_value nth must be greater than zero."),{next:n=>{let r=n.i0+(t-1);return r<n.i1?e(n.data[r]):null}}},
prev_value:function(e){let t;return{init:()=>t=null,next:n=>{let r=e(n.data[n.index]);return r!=null?t=r:t}}},next_value:function(e){let t,n;return{init:()=>(t=
null,n=-1),next:r=>{let i=r.data;return r.index<=n?t:(n=mL(e,i,r.index))<0?(n=i.length,t=null):t=e(i[n])}}}};function mL(e,t,n){for(let r=t.length;n<r;++n)if(e(
t[n])!=null)return n;return-1}var yL=Object.keys(Uc);function k_(e){let t=H(e.ops),n=H(e.fields),r=H(e.params),i=H(e.aggregate_params),a=H(e.as),o=this.outputs=
[],s=this.windows=[],u={},l={},c=[],f=[],d=!0;function h(p){H(At(p)).forEach(g=>u[g]=1)}h(e.sort),t.forEach((p,g)=>{let m=n[g],y=r[g],b=i[g]||null,x=Ge(m),v=n_(
p,x,a[g]);if(h(m),o.push(v),Y(Uc,p))s.push(gL(p,m,y,v));else{if(m==null&&p!=="count"&&D("Null aggregate field specified."),p==="count"){c.push(v);return}d=!1;let w=l[x];
w||(w=l[x]=[],w.field=m,f.push(w)),w.push(r_(p,b,v))}}),(c.length||f.length)&&(this.cell=bL(f,c,d)),this.inputs=Object.keys(u)}var F_=k_.prototype;F_.init=function(){
this.windows.forEach(e=>e.init()),this.cell&&this.cell.init()};F_.update=function(e,t){let n=this.cell,r=this.windows,i=e.data,a=r&&r.length,o;if(n){for(o=e.p0;o<
e.i0;++o)n.rem(i[o]);for(o=e.p1;o<e.i1;++o)n.add(i[o]);n.set(t)}for(o=0;o<a;++o)r[o].update(e,t)};function bL(e,t,n){e=e.map(u=>a_(u,u.field));let r={num:0,agg:null,
store:!1,count:t};if(!n)for(var i=e.length,a=r.agg=Array(i),o=0;o<i;++o)a[o]=new e[o](r);if(r.store)var s=r.data=new cb;return r.add=function(u){if(r.num+=1,!n){
s&&s.add(u);for(let l=0;l<i;++l)a[l].add(a[l].get(u),u)}},r.rem=function(u){if(r.num-=1,!n){s&&s.rem(u);for(let l=0;l<i;++l)a[l].rem(a[l].get(u),u)}},r.set=function(u){
let l,c;for(s&&s.values(),l=0,c=t.length;l<c;++l)u[t[l]]=r.num;if(!n)for(l=0,c=a.length;l<c;++l)a[l].set(u)},r.init=function(){r.num=0,s&&s.reset();for(let u=0;u<
i;++u)a[u].init()},r}function Ob(e){T.call(this,{},e),this._mlen=0,this._mods=[]}Ob.Definition={type:"Window",metadata:{modifies:!0},params:[{name:"sort",type:"\
compare"},{name:"groupby",type:"field",array:!0},{name:"ops",type:"enum",array:!0,values:yL.concat(qc)},{name:"params",type:"number",null:!0,array:!0},{name:"ag\
gregate_params",type:"number",null:!0,array:!0},{name:"fields",type:"field",null:!0,array:!0},{name:"as",type:"string",null:!0,array:!0},{name:"frame",type:"num\
ber",null:!0,array:!0,length:2,default:[null,0]},{name:"ignorePeers",type:"boolean",default:!1}]};z(Ob,T,{transform(e,t){this.stamp=t.stamp;let n=e.modified(),r=wi(
e.sort),i=lb(e.groupby),a=s=>this.group(i(s)),o=this.state;(!o||n)&&(o=this.state=new k_(e)),n||t.modified(o.inputs)?(this.value={},t.visit(t.SOURCE,s=>a(s).add(
s))):(t.visit(t.REM,s=>a(s).remove(s)),t.visit(t.ADD,s=>a(s).add(s)));for(let s=0,u=this._mlen;s<u;++s)xL(this._mods[s],o,r,e);return this._mlen=0,this._mods=[],
t.reflow(n).modifies(o.outputs)},group(e){let t=this.value[e];return t||(t=this.value[e]=o_(re),t.stamp=-1),t.stamp<this.stamp&&(t.stamp=this.stamp,this._mods[this.
_mlen++]=t),t}});function xL(e,t,n,r){let i=r.sort,a=i&&!r.ignorePeers,o=r.frame||[null,0],s=e.data(n),u=s.length,l=a?Ka(i):null,c={i0:0,i1:0,p0:0,p1:0,index:0,
data:s,compare:i||Ke(-1)};t.init();for(let f=0;f<u;++f)vL(c,o,f,u),a&&wL(c,l),t.update(c,s[f])}function t_(e,t,n){return e<t?t:e>n?n:e}function vL(e,t,n,r){e.p0=
e.i0,e.p1=e.i1;let i=t[0]==null?0:n+t[0],a=t[1]==null?r:n+t[1]+1;e.i0=t_(i,0,r),e.i1=t_(a,0,r),e.index=n}function wL(e,t){let n=e.i0,r=e.i1-1,i=e.compare,a=e.data,
o=a.length-1;n>0&&!i(a[n],a[n-1])&&(e.i0=t.left(a,a[n])),r<o&&!i(a[r],a[r+1])&&(e.i1=t.right(a,a[r]))}var B2={};gr(B2,{bound:()=>C4,identifier:()=>N2,mark:()=>_4,overlap:()=>k4,render:()=>M4,viewlayout:()=>$4});var jc=Math.PI,Bb=2*jc,ps=1e-6,AL=Bb-ps;function M_(e){this._+=e[0];for(let t=1,n=e.length;t<n;++t)this._+=arguments[t]+e[t]}function EL(e){let t=Math.floor(e);
if(!(t>=0))throw new Error(`invalid digits: ${e}`);if(t>15)return M_;let n=10**t;return function(r){this._+=r[0];for(let i=1,a=r.length;i<a;++i)this._+=Math.round(
arguments[i]*n)/n+r[i]}}function D_(e,t,n,r){return e===n&&t===r}function SL(e){let t=Math.floor(e);if(!(t<=15))return D_;let n=10**t,r=function(i){return Math.
round(i*n)};return function(i,a,o,s){return r(i)===r(o)&&r(a)===r(s)}}var Yu=class{constructor(t){this._x0=this._y0=this._x1=this._y1=null,this._="",this._append=
t==null?M_:EL(t),this._equal=t==null?D_:SL(t)}moveTo(t,n){this._append`M${this._x0=this._x1=+t},${this._y0=this._y1=+n}`}closePath(){this._x1!==null&&(this._x1=
this._x0,this._y1=this._y0,this._append`Z`)}lineTo(t,n){this._append`L${this._x1=+t},${this._y1=+n}`}quadraticCurveTo(t,n,r,i){this._append`Q${+t},${+n},${this.
_x1=+r},${this._y1=+i}`}bezierCurveTo(t,n,r,i,a,o){this._append`C${+t},${+n},${+r},${+i},${this._x1=+a},${this._y1=+o}`}arcTo(t,n,r,i,a){if(t=+t,n=+n,r=+r,i=+i,
a=+a,a<0)throw new Error(`negative radius: ${a}`);let o=this._x1,s=this._y1,u=r-t,l=i-n,c=o-t,f=s-n,d=c*c+f*f;if(this._x1===null)this._append`M${this._x1=t},${this.
_y1=n}`;else if(d>ps)if(!(Math.abs(f*u-l*c)>ps)||!a)this._append`L${this._x1=t},${this._y1=n}`;else{let h=r-o,p=i-s,g=u*u+l*l,m=h*h+p*p,y=Math.sqrt(g),b=Math.sqrt(
d),x=a*Math.tan((jc-Math.acos((g+d-m)/(2*y*b)))/2),v=x/b,w=x/y;Math.abs(v-1)>ps&&this._append`L${t+v*c},${n+v*f}`,this._append`A${a},${a},0,0,${+(f*h>c*p)},${this.
_x1=t+w*u},${this._y1=n+w*l}`}}arc(t,n,r,i,a,o){if(t=+t,n=+n,r=+r,o=!!o,r<0)throw new Error(`negative radius: ${r}`);let s=r*Math.cos(i),u=r*Math.sin(i),l=t+s,c=n+
u,f=1^o,d=o?i-a:a-i;if(this._x1===null?this._append`M${l},${c}`:(Math.abs(this._x1-l)>ps||Math.abs(this._y1-c)>ps)&&this._append`L${l},${c}`,!!r){if(d<0&&(d=d%Bb+
Bb),d>AL)this._append`A${r},${r},0,1,${f},${t-s},${n-u}A${r},${r},0,1,${f},${this._x1=l},${this._y1=c}`;else if(d>ps){let h=t+r*Math.cos(a),p=n+r*Math.sin(a);if(d>=
jc&&this._equal(l,c,h,p)){d/=2;let g=i+d;this._append`A${r},${r},0,${+(d>=jc)},${f},${t+r*Math.cos(g)},${n+r*Math.sin(g)}`}this._append`A${r},${r},0,${+(d>=jc)},${f},${this.
_x1=h},${this._y1=p}`}}}rect(t,n,r,i){this._append`M${this._x0=this._x1=+t},${this._y0=this._y1=+n}h${r=+r}v${+i}h${-r}Z`}toString(){return this._}};function o0(){
return new Yu}o0.prototype=Yu.prototype;function Te(e){return function(){return e}}var $_=Math.abs,un=Math.atan2,oo=Math.cos,CL=Math.max,Pb=Math.min,ir=Math.sin,ar=Math.sqrt,ln=1e-12,so=Math.PI,u0=so/
2,d0=2*so;function _L(e){return e>1?0:e<-1?so:Math.acos(e)}function T_(e){return e>=1?u0:e<=-1?-u0:Math.asin(e)}function h0(e){let t=3;return e.digits=function(n){
if(!arguments.length)return t;if(n==null)t=null;else{let r=Math.floor(n);if(!(r>=0))throw new RangeError(`invalid digits: ${n}`);t=r}return e},()=>new Yu(t)}function kL(e){
return e.innerRadius}function FL(e){return e.outerRadius}function ML(e){return e.startAngle}function DL(e){return e.endAngle}function $L(e){return e&&e.padAngle}
function TL(e,t,n,r,i,a,o,s){var u=n-e,l=r-t,c=o-i,f=s-a,d=f*u-c*l;if(!(d*d<ln))return d=(c*(t-a)-f*(e-i))/d,[e+d*u,t+d*l]}function s0(e,t,n,r,i,a,o){var s=e-n,
u=t-r,l=(o?a:-a)/ar(s*s+u*u),c=l*u,f=-l*s,d=e+c,h=t+f,p=n+c,g=r+f,m=(d+p)/2,y=(h+g)/2,b=p-d,x=g-h,v=b*b+x*x,w=i-a,E=d*g-p*h,A=(x<0?-1:1)*ar(CL(0,w*w*v-E*E)),S=(E*
x-b*A)/v,C=(-E*b-x*A)/v,_=(E*x+b*A)/v,k=(-E*b+x*A)/v,M=S-m,$=C-y,O=_-m,F=k-y;return M*M+$*$>O*O+F*F&&(S=_,C=k),{cx:S,cy:C,x01:-c,y01:-f,x11:S*(i/w-1),y11:C*(i/w-
1)}}function P_(){var e=kL,t=FL,n=Te(0),r=null,i=ML,a=DL,o=$L,s=null,u=h0(l);function l(){var c,f,d=+e.apply(this,arguments),h=+t.apply(this,arguments),p=i.apply(
this,arguments)-u0,g=a.apply(this,arguments)-u0,m=$_(g-p),y=g>p;if(s||(s=c=u()),h<d&&(f=h,h=d,d=f),!(h>ln))s.moveTo(0,0);else if(m>d0-ln)s.moveTo(h*oo(p),h*ir(p)),
s.arc(0,0,h,p,g,!y),d>ln&&(s.moveTo(d*oo(g),d*ir(g)),s.arc(0,0,d,g,p,y));else{var b=p,x=g,v=p,w=g,E=m,A=m,S=o.apply(this,arguments)/2,C=S>ln&&(r?+r.apply(this,arguments):
ar(d*d+h*h)),_=Pb($_(h-d)/2,+n.apply(this,arguments)),k=_,M=_,$,O;if(C>ln){var F=T_(C/d*ir(S)),P=T_(C/h*ir(S));(E-=F*2)>ln?(F*=y?1:-1,v+=F,w-=F):(E=0,v=w=(p+g)/
2),(A-=P*2)>ln?(P*=y?1:-1,b+=P,x-=P):(A=0,b=x=(p+g)/2)}var Q=h*oo(b),J=h*ir(b),ie=d*oo(w),me=d*ir(w);if(_>ln){var dt=h*oo(x),Ht=h*ir(x),Rt=d*oo(v),Zn=d*ir(v),ht;
if(m<so)if(ht=TL(Q,J,Rt,Zn,dt,Ht,ie,me)){var pi=Q-ht[0],es=J-ht[1],Xa=dt-ht[0],Z=Ht-ht[1],ge=1/ir(_L((pi*Xa+es*Z)/(ar(pi*pi+es*es)*ar(Xa*Xa+Z*Z)))/2),xe=ar(ht[0]*
ht[0]+ht[1]*ht[1]);k=Pb(_,(d-xe)/(ge-1)),M=Pb(_,(h-xe)/(ge+1))}else k=M=0}A>ln?M>ln?($=s0(Rt,Zn,Q,J,h,M,y),O=s0(dt,Ht,ie,me,h,M,y),s.moveTo($.cx+$.x01,$.cy+$.y01),
M<_?s.arc($.cx,$.cy,M,un($.y01,$.x01),un(O.y01,O.x01),!y):(s.arc($.cx,$.cy,M,un($.y01,$.x01),un($.y11,$.x11),!y),s.arc(0,0,h,un($.cy+$.y11,$.cx+$.x11),un(O.cy+O.
y11,O.cx+O.x11),!y),s.arc(O.cx,O.cy,M,un(O.y11,O.x11),un(O.y01,O.x01),!y))):(s.moveTo(Q,J),s.arc(0,0,h,b,x,!y)):s.moveTo(Q,J),!(d>ln)||!(E>ln)?s.lineTo(ie,me):k>
ln?($=s0(ie,me,dt,Ht,d,-k,y),O=s0(Q,J,Rt,Zn,d,-k,y),s.lineTo($.cx+$.x01,$.cy+$.y01),k<_?s.arc($.cx,$.cy,k,un($.y01,$.x01),un(O.y01,O.x01),!y):(s.arc($.cx,$.cy,k,
un($.y01,$.x01),un($.y11,$.x11),!y),s.arc(0,0,d,un($.cy+$.y11,$.cx+$.x11),un(O.cy+O.y11,O.cx+O.x11),y),s.arc(O.cx,O.cy,k,un(O.y11,O.x11),un(O.y01,O.x01),!y))):s.
arc(0,0,d,w,v,y)}if(s.closePath(),c)return s=null,c+""||null}return l.centroid=function(){var c=(+e.apply(this,arguments)+ +t.apply(this,arguments))/2,f=(+i.apply(
this,arguments)+ +a.apply(this,arguments))/2-so/2;return[oo(f)*c,ir(f)*c]},l.innerRadius=function(c){return arguments.length?(e=typeof c=="function"?c:Te(+c),l):
e},l.outerRadius=function(c){return arguments.length?(t=typeof c=="function"?c:Te(+c),l):t},l.cornerRadius=function(c){return arguments.length?(n=typeof c=="fun\
ction"?c:Te(+c),l):n},l.padRadius=function(c){return arguments.length?(r=c==null?null:typeof c=="function"?c:Te(+c),l):r},l.startAngle=function(c){return arguments.
length?(i=typeof c=="function"?c:Te(+c),l):i},l.endAngle=function(c){return arguments.length?(a=typeof c=="function"?c:Te(+c),l):a},l.padAngle=function(c){return arguments.
length?(o=typeof c=="function"?c:Te(+c),l):o},l.context=function(c){return arguments.length?(s=c??null,l):s},l}var b1e=Array.prototype.slice;function I_(e){return typeof e==
"object"&&"length"in e?e:Array.from(e)}function z_(e){this._context=e}z_.prototype={areaStart:function(){this._line=0},areaEnd:function(){this._line=NaN},lineStart:function(){
this._point=0},lineEnd:function(){(this._line||this._line!==0&&this._point===1)&&this._context.closePath(),this._line=1-this._line},point:function(e,t){switch(e=
+e,t=+t,this._point){case 0:this._point=1,this._line?this._context.lineTo(e,t):this._context.moveTo(e,t);break;case 1:this._point=2;default:this._context.lineTo(
e,t);break}}};function Wc(e){return new z_(e)}function L_(e){return e[0]}function U_(e){return e[1]}function zb(e,t){var n=Te(!0),r=null,i=Wc,a=null,o=h0(s);e=typeof e==
"function"?e:e===void 0?L_:Te(e),t=typeof t=="function"?t:t===void 0?U_:Te(t);function s(u){var l,c=(u=I_(u)).length,f,d=!1,h;for(r==null&&(a=i(h=o())),l=0;l<=c;++l)
!(l<c&&n(f=u[l],l,u))===d&&((d=!d)?a.lineStart():a.lineEnd()),d&&a.point(+e(f,l,u),+t(f,l,u));if(h)return a=null,h+""||null}return s.x=function(u){return arguments.
length?(e=typeof u=="function"?u:Te(+u),s):e},s.y=function(u){return arguments.length?(t=typeof u=="function"?u:Te(+u),s):t},s.defined=function(u){return arguments.
length?(n=typeof u=="function"?u:Te(!!u),s):n},s.curve=function(u){return arguments.length?(i=u,r!=null&&(a=i(r)),s):i},s.context=function(u){return arguments.length?
(u==null?r=a=null:a=i(r=u),s):r},s}function Lb(e,t,n){var r=null,i=Te(!0),a=null,o=Wc,s=null,u=h0(l);e=typeof e=="function"?e:e===void 0?L_:Te(+e),t=typeof t=="\
function"?t:Te(t===void 0?0:+t),n=typeof n=="function"?n:n===void 0?U_:Te(+n);function l(f){var d,h,p,g=(f=I_(f)).length,m,y=!1,b,x=new Array(g),v=new Array(g);
for(a==null&&(s=o(b=u())),d=0;d<=g;++d){if(!(d<g&&i(m=f[d],d,f))===y)if(y=!y)h=d,s.areaStart(),s.lineStart();else{for(s.lineEnd(),s.lineStart(),p=d-1;p>=h;--p)s.
point(x[p],v[p]);s.lineEnd(),s.areaEnd()}y&&(x[d]=+e(m,d,f),v[d]=+t(m,d,f),s.point(r?+r(m,d,f):x[d],n?+n(m,d,f):v[d]))}if(b)return s=null,b+""||null}function c(){
return zb().defined(i).curve(o).context(a)}return l.x=function(f){return arguments.length?(e=typeof f=="function"?f:Te(+f),r=null,l):e},l.x0=function(f){return arguments.
length?(e=typeof f=="function"?f:Te(+f),l):e},l.x1=function(f){return arguments.length?(r=f==null?null:typeof f=="function"?f:Te(+f),l):r},l.y=function(f){return arguments.
length?(t=typeof f=="function"?f:Te(+f),n=null,l):t},l.y0=function(f){return arguments.length?(t=typeof f=="function"?f:Te(+f),l):t},l.y1=function(f){return arguments.
length?(n=f==null?null:typeof f=="function"?f:Te(+f),l):n},l.lineX0=l.lineY0=function(){return c().x(e).y(t)},l.lineY1=function(){return c().x(e).y(n)},l.lineX1=
function(){return c().x(r).y(t)},l.defined=function(f){return arguments.length?(i=typeof f=="function"?f:Te(!!f),l):i},l.curve=function(f){return arguments.length?
(o=f,a!=null&&(s=o(a)),l):o},l.context=function(f){return arguments.length?(f==null?a=s=null:s=o(a=f),l):a},l}var x1e=RL(Wc);function q_(e){this._curve=e}q_.prototype={areaStart:function(){this._curve.areaStart()},areaEnd:function(){this._curve.areaEnd()},lineStart:function(){
this._curve.lineStart()},lineEnd:function(){this._curve.lineEnd()},point:function(e,t){this._curve.point(t*Math.sin(e),t*-Math.cos(e))}};function RL(e){function t(n){
return new q_(e(n))}return t._curve=e,t}var v1e=ar(3);var OL={draw(e,t){let n=ar(t/so);e.moveTo(n,0),e.arc(0,0,n,0,d0)}};var NL=ar(1/3),w1e=NL*2;var j_=ir(so/10)/ir(7*so/10),A1e=ir(d0/10)*j_,E1e=-oo(d0/10)*j_;var S1e=ar(3);var C1e=ar(3);var _1e=ar(3)/2,BL=1/ar(12),k1e=(BL/2+1)*3;function W_(e,t){let n=null,r=h0(i);e=typeof e=="function"?e:Te(e||OL),t=typeof t=="function"?t:Te(t===void 0?64:+t);function i(){let a;if(n||(n=a=r()),e.apply(
this,arguments).draw(n,+t.apply(this,arguments)),a)return n=null,a+""||null}return i.type=function(a){return arguments.length?(e=typeof a=="function"?a:Te(a),i):
e},i.size=function(a){return arguments.length?(t=typeof a=="function"?a:Te(+a),i):t},i.context=function(a){return arguments.length?(n=a??null,i):n},i}function uo(){}
function l0(e,t,n){e._context.bezierCurveTo((2*e._x0+e._x1)/3,(2*e._y0+e._y1)/3,(e._x0+2*e._x1)/3,(e._y0+2*e._y1)/3,(e._x0+4*e._x1+t)/6,(e._y0+4*e._y1+n)/6)}function p0(e){
this._context=e}p0.prototype={areaStart:function(){this._line=0},areaEnd:function(){this._line=NaN},lineStart:function(){this._x0=this._x1=this._y0=this._y1=NaN,
this._point=0},lineEnd:function(){switch(this._point){case 3:l0(this,this._x1,this._y1);case 2:this._context.lineTo(this._x1,this._y1);break}(this._line||this._line!==
0&&this._point===1)&&this._context.closePath(),this._line=1-this._line},point:function(e,t){switch(e=+e,t=+t,this._point){case 0:this._point=1,this._line?this._context.
lineTo(e,t):this._context.moveTo(e,t);break;case 1:this._point=2;break;case 2:this._point=3,this._context.lineTo((5*this._x0+this._x1)/6,(5*this._y0+this._y1)/6);default:
l0(this,e,t);break}this._x0=this._x1,this._x1=e,this._y0=this._y1,this._y1=t}};function G_(e){return new p0(e)}function H_(e){this._context=e}H_.prototype={areaStart:uo,
areaEnd:uo,lineStart:function(){this._x0=this._x1=this._x2=this._x3=this._x4=this._y0=this._y1=this._y2=this._y3=this._y4=NaN,this._point=0},lineEnd:function(){
switch(this._point){case 1:{this._context.moveTo(this._x2,this._y2),this._context.closePath();break}case 2:{this._context.moveTo((this._x2+2*this._x3)/3,(this._y2+
2*this._y3)/3),this._context.lineTo((this._x3+2*this._x2)/3,(this._y3+2*this._y2)/3),this._context.closePath();break}case 3:{this.point(this._x2,this._y2),this.
point(this._x3,this._y3),this.point(this._x4,this._y4);break}}},point:function(e,t){switch(e=+e,t=+t,this._point){case 0:this._point=1,this._x2=e,this._y2=t;break;case 1:
this._point=2,this._x3=e,this._y3=t;break;case 2:this._point=3,this._x4=e,this._y4=t,this._context.moveTo((this._x0+4*this._x1+e)/6,(this._y0+4*this._y1+t)/6);break;default:
l0(this,e,t);break}this._x0=this._x1,this._x1=e,this._y0=this._y1,this._y1=t}};function Y_(e){return new H_(e)}function V_(e){this._context=e}V_.prototype={areaStart:function(){
this._line=0},areaEnd:function(){this._line=NaN},lineStart:function(){this._x0=this._x1=this._y0=this._y1=NaN,this._point=0},lineEnd:function(){(this._line||this.
_line!==0&&this._point===3)&&this._context.closePath(),this._line=1-this._line},point:function(e,t){switch(e=+e,t=+t,this._point){case 0:this._point=1;break;case 1:
this._point=2;break;case 2:this._point=3;var n=(this._x0+4*this._x1+e)/6,r=(this._y0+4*this._y1+t)/6;this._line?this._context.lineTo(n,r):this._context.moveTo(n,
r);break;case 3:this._point=4;default:l0(this,e,t);break}this._x0=this._x1,this._x1=e,this._y0=this._y1,this._y1=t}};function X_(e){return new V_(e)}function K_(e,t){
this._basis=new p0(e),this._beta=t}K_.prototype={lineStart:function(){this._x=[],this._y=[],this._basis.lineStart()},lineEnd:function(){var e=this._x,t=this._y,
n=e.length-1;if(n>0)for(var r=e[0],i=t[0],a=e[n]-r,o=t[n]-i,s=-1,u;++s<=n;)u=s/n,this._basis.point(this._beta*e[s]+(1-this._beta)*(r+u*a),this._beta*t[s]+(1-this.
_beta)*(i+u*o));this._x=this._y=null,this._basis.lineEnd()},point:function(e,t){this._x.push(+e),this._y.push(+t)}};var Q_=(function e(t){function n(r){return t===
1?new p0(r):new K_(r,t)}return n.beta=function(r){return e(+r)},n})(.85);function c0(e,t,n){e._context.bezierCurveTo(e._x1+e._k*(e._x2-e._x0),e._y1+e._k*(e._y2-
e._y0),e._x2+e._k*(e._x1-t),e._y2+e._k*(e._y1-n),e._x2,e._y2)}function Ub(e,t){this._context=e,this._k=(1-t)/6}Ub.prototype={areaStart:function(){this._line=0},
areaEnd:function(){this._line=NaN},lineStart:function(){this._x0=this._x1=this._x2=this._y0=this._y1=this._y2=NaN,this._point=0},lineEnd:function(){switch(this.
_point){case 2:this._context.lineTo(this._x2,this._y2);break;case 3:c0(this,this._x1,this._y1);break}(this._line||this._line!==0&&this._point===1)&&this._context.
closePath(),this._line=1-this._line},point:function(e,t){switch(e=+e,t=+t,this._point){case 0:this._point=1,this._line?this._context.lineTo(e,t):this._context.moveTo(
e,t);break;case 1:this._point=2,this._x1=e,this._y1=t;break;case 2:this._point=3;default:c0(this,e,t);break}this._x0=this._x1,this._x1=this._x2,this._x2=e,this.
_y0=this._y1,this._y1=this._y2,this._y2=t}};var Z_=(function e(t){function n(r){return new Ub(r,t)}return n.tension=function(r){return e(+r)},n})(0);function qb(e,t){
this._context=e,this._k=(1-t)/6}qb.prototype={areaStart:uo,areaEnd:uo,lineStart:function(){this._x0=this._x1=this._x2=this._x3=this._x4=this._x5=this._y0=this._y1=
this._y2=this._y3=this._y4=this._y5=NaN,this._point=0},lineEnd:function(){switch(this._point){case 1:{this._context.moveTo(this._x3,this._y3),this._context.closePath();
break}case 2:{this._context.lineTo(this._x3,this._y3),this._context.closePath();break}case 3:{this.point(this._x3,this._y3),this.point(this._x4,this._y4),this.point(
this._x5,this._y5);break}}},point:function(e,t){switch(e=+e,t=+t,this._point){case 0:this._point=1,this._x3=e,this._y3=t;break;case 1:this._point=2,this._context.
moveTo(this._x4=e,this._y4=t);break;case 2:this._point=3,this._x5=e,this._y5=t;break;default:c0(this,e,t);break}this._x0=this._x1,this._x1=this._x2,this._x2=e,this.
_y0=this._y1,this._y1=this._y2,this._y2=t}};var J_=(function e(t){function n(r){return new qb(r,t)}return n.tension=function(r){return e(+r)},n})(0);function jb(e,t){
this._context=e,this._k=(1-t)/6}jb.prototype={areaStart:function(){this._line=0},areaEnd:function(){this._line=NaN},lineStart:function(){this._x0=this._x1=this.
_x2=this._y0=this._y1=this._y2=NaN,this._point=0},lineEnd:function(){(this._line||this._line!==0&&this._point===3)&&this._context.closePath(),this._line=1-this.
_line},point:function(e,t){switch(e=+e,t=+t,this._point){case 0:this._point=1;break;case 1:this._point=2;break;case 2:this._point=3,this._line?this._context.lineTo(
this._x2,this._y2):this._context.moveTo(this._x2,this._y2);break;case 3:this._point=4;default:c0(this,e,t);break}this._x0=this._x1,this._x1=this._x2,this._x2=e,
this._y0=this._y1,this._y1=this._y2,this._y2=t}};var e6=(function e(t){function n(r){return new jb(r,t)}return n.tension=function(r){return e(+r)},n})(0);function Wb(e,t,n){
var r=e._x1,i=e._y1,a=e._x2,o=e._y2;if(e._l01_a>ln){var s=2*e._l01_2a+3*e._l01_a*e._l12_a+e._l12_2a,u=3*e._l01_a*(e._l01_a+e._l12_a);r=(r*s-e._x0*e._l12_2a+e._x2*
e._l01_2a)/u,i=(i*s-e._y0*e._l12_2a+e._y2*e._l01_2a)/u}if(e._l23_a>ln){var l=2*e._l23_2a+3*e._l23_a*e._l12_a+e._l12_2a,c=3*e._l23_a*(e._l23_a+e._l12_a);a=(a*l+e.
_x1*e._l23_2a-t*e._l12_2a)/c,o=(o*l+e._y1*e._l23_2a-n*e._l12_2a)/c}e._context.bezierCurveTo(r,i,a,o,e._x2,e._y2)}function t6(e,t){this._context=e,this._alpha=t}
t6.prototype={areaStart:function(){this._line=0},areaEnd:function(){this._line=NaN},lineStart:function(){this._x0=this._x1=this._x2=this._y0=this._y1=this._y2=NaN,
this._l01_a=this._l12_a=this._l23_a=this._l01_2a=this._l12_2a=this._l23_2a=this._point=0},lineEnd:function(){switch(this._point){case 2:this._context.lineTo(this.
_x2,this._y2);break;case 3:this.point(this._x2,this._y2);break}(this._line||this._line!==0&&this._point===1)&&this._context.closePath(),this._line=1-this._line},
point:function(e,t){if(e=+e,t=+t,this._point){var n=this._x2-e,r=this._y2-t;this._l23_a=Math.sqrt(this._l23_2a=Math.pow(n*n+r*r,this._alpha))}switch(this._point){case 0:
this._point=1,this._line?this._context.lineTo(e,t):this._context.moveTo(e,t);break;case 1:this._point=2;break;case 2:this._point=3;default:Wb(this,e,t);break}this.
_l01_a=this._l12_a,this._l12_a=this._l23_a,this._l01_2a=this._l12_2a,this._l12_2a=this._l23_2a,this._x0=this._x1,this._x1=this._x2,this._x2=e,this._y0=this._y1,
this._y1=this._y2,this._y2=t}};var n6=(function e(t){function n(r){return t?new t6(r,t):new Ub(r,0)}return n.alpha=function(r){return e(+r)},n})(.5);function r6(e,t){
this._context=e,this._alpha=t}r6.prototype={areaStart:uo,areaEnd:uo,lineStart:function(){this._x0=this._x1=this._x2=this._x3=this._x4=this._x5=this._y0=this._y1=
this._y2=this._y3=this._y4=this._y5=NaN,this._l01_a=this._l12_a=this._l23_a=this._l01_2a=this._l12_2a=this._l23_2a=this._point=0},lineEnd:function(){switch(this.
_point){case 1:{this._context.moveTo(this._x3,this._y3),this._context.closePath();break}case 2:{this._context.lineTo(this._x3,this._y3),this._context.closePath();
break}case 3:{this.point(this._x3,this._y3),this.point(this._x4,this._y4),this.point(this._x5,this._y5);break}}},point:function(e,t){if(e=+e,t=+t,this._point){var n=this.
_x2-e,r=this._y2-t;this._l23_a=Math.sqrt(this._l23_2a=Math.pow(n*n+r*r,this._alpha))}switch(this._point){case 0:this._point=1,this._x3=e,this._y3=t;break;case 1:
this._point=2,this._context.moveTo(this._x4=e,this._y4=t);break;case 2:this._point=3,this._x5=e,this._y5=t;break;default:Wb(this,e,t);break}this._l01_a=this._l12_a,
this._l12_a=this._l23_a,this._l01_2a=this._l12_2a,this._l12_2a=this._l23_2a,this._x0=this._x1,this._x1=this._x2,this._x2=e,this._y0=this._y1,this._y1=this._y2,this.
_y2=t}};var i6=(function e(t){function n(r){return t?new r6(r,t):new qb(r,0)}return n.alpha=function(r){return e(+r)},n})(.5);function a6(e,t){this._context=e,this.
_alpha=t}a6.prototype={areaStart:function(){this._line=0},areaEnd:function(){this._line=NaN},lineStart:function(){this._x0=this._x1=this._x2=this._y0=this._y1=this.
_y2=NaN,this._l01_a=this._l12_a=this._l23_a=this._l01_2a=this._l12_2a=this._l23_2a=this._point=0},lineEnd:function(){(this._line||this._line!==0&&this._point===
3)&&this._context.closePath(),this._line=1-this._line},point:function(e,t){if(e=+e,t=+t,this._point){var n=this._x2-e,r=this._y2-t;this._l23_a=Math.sqrt(this._l23_2a=
Math.pow(n*n+r*r,this._alpha))}switch(this._point){case 0:this._point=1;break;case 1:this._point=2;break;case 2:this._point=3,this._line?this._context.lineTo(this.
_x2,this._y2):this._context.moveTo(this._x2,this._y2);break;case 3:this._point=4;default:Wb(this,e,t);break}this._l01_a=this._l12_a,this._l12_a=this._l23_a,this.
_l01_2a=this._l12_2a,this._l12_2a=this._l23_2a,this._x0=this._x1,this._x1=this._x2,this._x2=e,this._y0=this._y1,this._y1=this._y2,this._y2=t}};var o6=(function e(t){
function n(r){return t?new a6(r,t):new jb(r,0)}return n.alpha=function(r){return e(+r)},n})(.5);function s6(e){this._context=e}s6.prototype={areaStart:uo,areaEnd:uo,
lineStart:function(){this._point=0},lineEnd:function(){this._point&&this._context.closePath()},point:function(e,t){e=+e,t=+t,this._point?this._context.lineTo(e,
t):(this._point=1,this._context.moveTo(e,t))}};function u6(e){return new s6(e)}function R_(e){return e<0?-1:1}function O_(e,t,n){var r=e._x1-e._x0,i=t-e._x1,a=(e.
_y1-e._y0)/(r||i<0&&-0),o=(n-e._y1)/(i||r<0&&-0),s=(a*i+o*r)/(r+i);return(R_(a)+R_(o))*Math.min(Math.abs(a),Math.abs(o),.5*Math.abs(s))||0}function N_(e,t){var n=e.
_x1-e._x0;return n?(3*(e._y1-e._y0)/n-t)/2:t}function Ib(e,t,n){var r=e._x0,i=e._y0,a=e._x1,o=e._y1,s=(a-r)/3;e._context.bezierCurveTo(r+s,i+s*t,a-s,o-s*n,a,o)}
function f0(e){this._context=e}f0.prototype={areaStart:function(){this._line=0},areaEnd:function(){this._line=NaN},lineStart:function(){this._x0=this._x1=this._y0=
this._y1=this._t0=NaN,this._point=0},lineEnd:function(){switch(this._point){case 2:this._context.lineTo(this._x1,this._y1);break;case 3:Ib(this,this._t0,N_(this,
this._t0));break}(this._line||this._line!==0&&this._point===1)&&this._context.closePath(),this._line=1-this._line},point:function(e,t){var n=NaN;if(e=+e,t=+t,!(e===
this._x1&&t===this._y1)){switch(this._point){case 0:this._point=1,this._line?this._context.lineTo(e,t):this._context.moveTo(e,t);break;case 1:this._point=2;break;case 2:
this._point=3,Ib(this,N_(this,n=O_(this,e,t)),n);break;default:Ib(this,this._t0,n=O_(this,e,t));break}this._x0=this._x1,this._x1=e,this._y0=this._y1,this._y1=t,
this._t0=n}}};function l6(e){this._context=new c6(e)}(l6.prototype=Object.create(f0.prototype)).point=function(e,t){f0.prototype.point.call(this,t,e)};function c6(e){
this._context=e}c6.prototype={moveTo:function(e,t){this._context.moveTo(t,e)},closePath:function(){this._context.closePath()},lineTo:function(e,t){this._context.
lineTo(t,e)},bezierCurveTo:function(e,t,n,r,i,a){this._context.bezierCurveTo(t,e,r,n,a,i)}};function f6(e){return new f0(e)}function d6(e){return new l6(e)}function h6(e){
this._context=e}h6.prototype={areaStart:function(){this._line=0},areaEnd:function(){this._line=NaN},lineStart:function(){this._x=[],this._y=[]},lineEnd:function(){
var e=this._x,t=this._y,n=e.length;if(n)if(this._line?this._context.lineTo(e[0],t[0]):this._context.moveTo(e[0],t[0]),n===2)this._context.lineTo(e[1],t[1]);else
for(var r=B_(e),i=B_(t),a=0,o=1;o<n;++a,++o)this._context.bezierCurveTo(r[0][a],i[0][a],r[1][a],i[1][a],e[o],t[o]);(this._line||this._line!==0&&n===1)&&this._context.
closePath(),this._line=1-this._line,this._x=this._y=null},point:function(e,t){this._x.push(+e),this._y.push(+t)}};function B_(e){var t,n=e.length-1,r,i=new Array(
n),a=new Array(n),o=new Array(n);for(i[0]=0,a[0]=2,o[0]=e[0]+2*e[1],t=1;t<n-1;++t)i[t]=1,a[t]=4,o[t]=4*e[t]+2*e[t+1];for(i[n-1]=2,a[n-1]=7,o[n-1]=8*e[n-1]+e[n],
t=1;t<n;++t)r=i[t]/a[t-1],a[t]-=r,o[t]-=r*o[t-1];for(i[n-1]=o[n-1]/a[n-1],t=n-2;t>=0;--t)i[t]=(o[t]-i[t+1])/a[t];for(a[n-1]=(e[n]+i[n-1])/2,t=0;t<n-1;++t)a[t]=2*
e[t+1]-i[t+1];return[i,a]}function p6(e){return new h6(e)}function g0(e,t){this._context=e,this._t=t}g0.prototype={areaStart:function(){this._line=0},areaEnd:function(){
this._line=NaN},lineStart:function(){this._x=this._y=NaN,this._point=0},lineEnd:function(){0<this._t&&this._t<1&&this._point===2&&this._context.lineTo(this._x,this.
_y),(this._line||this._line!==0&&this._point===1)&&this._context.closePath(),this._line>=0&&(this._t=1-this._t,this._line=1-this._line)},point:function(e,t){switch(e=
+e,t=+t,this._point){case 0:this._point=1,this._line?this._context.lineTo(e,t):this._context.moveTo(e,t);break;case 1:this._point=2;default:{if(this._t<=0)this.
_context.lineTo(this._x,t),this._context.lineTo(e,t);else{var n=this._x*(1-this._t)+e*this._t;this._context.lineTo(n,this._y),this._context.lineTo(n,t)}break}}this.
_x=e,this._y=t}};function g6(e){return new g0(e,.5)}function m6(e){return new g0(e,0)}function y6(e){return new g0(e,1)}function br(e,t){if(typeof document<"u"&&document.createElement){let n=document.createElement("canvas");if(n&&n.getContext)return n.width=e,n.height=t,n}return null}
var b6=()=>typeof Image<"u"?Image:null;var ax={};gr(ax,{interpolate:()=>Si,interpolateArray:()=>JL,interpolateBasis:()=>W6,interpolateBasisClosed:()=>G6,interpolateCubehelix:()=>yU,interpolateCubehelixLong:()=>Vc,
interpolateDate:()=>K6,interpolateDiscrete:()=>nU,interpolateHcl:()=>gU,interpolateHclLong:()=>mU,interpolateHsl:()=>dU,interpolateHslLong:()=>hU,interpolateHue:()=>rU,
interpolateLab:()=>pU,interpolateNumber:()=>vr,interpolateNumberArray:()=>ix,interpolateObject:()=>Q6,interpolateRgb:()=>ex,interpolateRgbBasis:()=>rx,interpolateRgbBasisClosed:()=>ZL,
interpolateRound:()=>xs,interpolateString:()=>Z6,interpolateTransformCss:()=>oU,interpolateTransformSvg:()=>sU,interpolateZoom:()=>fU,piecewise:()=>Xc,quantize:()=>bU});function Qu(e,t,n){e.prototype=t.prototype=n,n.constructor=e}function Yc(e,t){var n=Object.create(e.prototype);for(var r in t)n[r]=t[r];return n}function lo(){}
var bs=.7,Ku=1/bs,Vu="\\s*([+-]?\\d+)\\s*",Gc="\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)\\s*",Ai="\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)%\\s*",PL=/^#([0-9a-f]{3,8})$/,
IL=new RegExp(`^rgb\\(${Vu},${Vu},${Vu}\\)$`),zL=new RegExp(`^rgb\\(${Ai},${Ai},${Ai}\\)$`),LL=new RegExp(`^rgba\\(${Vu},${Vu},${Vu},${Gc}\\)$`),UL=new RegExp(`\
^rgba\\(${Ai},${Ai},${Ai},${Gc}\\)$`),qL=new RegExp(`^hsl\\(${Gc},${Ai},${Ai}\\)$`),jL=new RegExp(`^hsla\\(${Gc},${Ai},${Ai},${Gc}\\)$`),x6={aliceblue:15792383,
antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,
burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,
darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,
darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,
darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,
fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,
hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,
lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,
lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,
limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,
mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,
navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,
paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,
rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,
sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,
teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074};
Qu(lo,Zu,{copy(e){return Object.assign(new this.constructor,this,e)},displayable(){return this.rgb().displayable()},hex:v6,formatHex:v6,formatHex8:WL,formatHsl:GL,
formatRgb:w6,toString:w6});function v6(){return this.rgb().formatHex()}function WL(){return this.rgb().formatHex8()}function GL(){return D6(this).formatHsl()}function w6(){
return this.rgb().formatRgb()}function Zu(e){var t,n;return e=(e+"").trim().toLowerCase(),(t=PL.exec(e))?(n=t[1].length,t=parseInt(t[1],16),n===6?A6(t):n===3?new Pt(
t>>8&15|t>>4&240,t>>4&15|t&240,(t&15)<<4|t&15,1):n===8?m0(t>>24&255,t>>16&255,t>>8&255,(t&255)/255):n===4?m0(t>>12&15|t>>8&240,t>>8&15|t>>4&240,t>>4&15|t&240,((t&
15)<<4|t&15)/255):null):(t=IL.exec(e))?new Pt(t[1],t[2],t[3],1):(t=zL.exec(e))?new Pt(t[1]*255/100,t[2]*255/100,t[3]*255/100,1):(t=LL.exec(e))?m0(t[1],t[2],t[3],
t[4]):(t=UL.exec(e))?m0(t[1]*255/100,t[2]*255/100,t[3]*255/100,t[4]):(t=qL.exec(e))?C6(t[1],t[2]/100,t[3]/100,1):(t=jL.exec(e))?C6(t[1],t[2]/100,t[3]/100,t[4]):
x6.hasOwnProperty(e)?A6(x6[e]):e==="transparent"?new Pt(NaN,NaN,NaN,0):null}function A6(e){return new Pt(e>>16&255,e>>8&255,e&255,1)}function m0(e,t,n,r){return r<=
0&&(e=t=n=NaN),new Pt(e,t,n,r)}function Kb(e){return e instanceof lo||(e=Zu(e)),e?(e=e.rgb(),new Pt(e.r,e.g,e.b,e.opacity)):new Pt}function or(e,t,n,r){return arguments.
length===1?Kb(e):new Pt(e,t,n,r??1)}function Pt(e,t,n,r){this.r=+e,this.g=+t,this.b=+n,this.opacity=+r}Qu(Pt,or,Yc(lo,{brighter(e){return e=e==null?Ku:Math.pow(
Ku,e),new Pt(this.r*e,this.g*e,this.b*e,this.opacity)},darker(e){return e=e==null?bs:Math.pow(bs,e),new Pt(this.r*e,this.g*e,this.b*e,this.opacity)},rgb(){return this},
clamp(){return new Pt(ms(this.r),ms(this.g),ms(this.b),b0(this.opacity))},displayable(){return-.5<=this.r&&this.r<255.5&&-.5<=this.g&&this.g<255.5&&-.5<=this.b&&
this.b<255.5&&0<=this.opacity&&this.opacity<=1},hex:E6,formatHex:E6,formatHex8:HL,formatRgb:S6,toString:S6}));function E6(){return`#${gs(this.r)}${gs(this.g)}${gs(
this.b)}`}function HL(){return`#${gs(this.r)}${gs(this.g)}${gs(this.b)}${gs((isNaN(this.opacity)?1:this.opacity)*255)}`}function S6(){let e=b0(this.opacity);return`${e===
1?"rgb(":"rgba("}${ms(this.r)}, ${ms(this.g)}, ${ms(this.b)}${e===1?")":`, ${e})`}`}function b0(e){return isNaN(e)?1:Math.max(0,Math.min(1,e))}function ms(e){return Math.
max(0,Math.min(255,Math.round(e)||0))}function gs(e){return e=ms(e),(e<16?"0":"")+e.toString(16)}function C6(e,t,n,r){return r<=0?e=t=n=NaN:n<=0||n>=1?e=t=NaN:t<=
0&&(e=NaN),new Ir(e,t,n,r)}function D6(e){if(e instanceof Ir)return new Ir(e.h,e.s,e.l,e.opacity);if(e instanceof lo||(e=Zu(e)),!e)return new Ir;if(e instanceof
Ir)return e;e=e.rgb();var t=e.r/255,n=e.g/255,r=e.b/255,i=Math.min(t,n,r),a=Math.max(t,n,r),o=NaN,s=a-i,u=(a+i)/2;return s?(t===a?o=(n-r)/s+(n<r)*6:n===a?o=(r-t)/
s+2:o=(t-n)/s+4,s/=u<.5?a+i:2-a-i,o*=60):s=u>0&&u<1?0:o,new Ir(o,s,u,e.opacity)}function Ju(e,t,n,r){return arguments.length===1?D6(e):new Ir(e,t,n,r??1)}function Ir(e,t,n,r){
this.h=+e,this.s=+t,this.l=+n,this.opacity=+r}Qu(Ir,Ju,Yc(lo,{brighter(e){return e=e==null?Ku:Math.pow(Ku,e),new Ir(this.h,this.s,this.l*e,this.opacity)},darker(e){
return e=e==null?bs:Math.pow(bs,e),new Ir(this.h,this.s,this.l*e,this.opacity)},rgb(){var e=this.h%360+(this.h<0)*360,t=isNaN(e)||isNaN(this.s)?0:this.s,n=this.
l,r=n+(n<.5?n:1-n)*t,i=2*n-r;return new Pt(Gb(e>=240?e-240:e+120,i,r),Gb(e,i,r),Gb(e<120?e+240:e-120,i,r),this.opacity)},clamp(){return new Ir(_6(this.h),y0(this.
s),y0(this.l),b0(this.opacity))},displayable(){return(0<=this.s&&this.s<=1||isNaN(this.s))&&0<=this.l&&this.l<=1&&0<=this.opacity&&this.opacity<=1},formatHsl(){
let e=b0(this.opacity);return`${e===1?"hsl(":"hsla("}${_6(this.h)}, ${y0(this.s)*100}%, ${y0(this.l)*100}%${e===1?")":`, ${e})`}`}}));function _6(e){return e=(e||
0)%360,e<0?e+360:e}function y0(e){return Math.max(0,Math.min(1,e||0))}function Gb(e,t,n){return(e<60?t+(n-t)*e/60:e<180?n:e<240?t+(n-t)*(240-e)/60:t)*255}var $6=Math.
PI/180,T6=180/Math.PI,x0=18,R6=.96422,O6=1,N6=.82521,B6=4/29,Xu=6/29,P6=3*Xu*Xu,YL=Xu*Xu*Xu;function I6(e){if(e instanceof Ei)return new Ei(e.l,e.a,e.b,e.opacity);
if(e instanceof fa)return z6(e);e instanceof Pt||(e=Kb(e));var t=Xb(e.r),n=Xb(e.g),r=Xb(e.b),i=Hb((.2225045*t+.7168786*n+.0606169*r)/O6),a,o;return t===n&&n===r?
a=o=i:(a=Hb((.4360747*t+.3850649*n+.1430804*r)/R6),o=Hb((.0139322*t+.0971045*n+.7141733*r)/N6)),new Ei(116*i-16,500*(a-i),200*(i-o),e.opacity)}function el(e,t,n,r){return arguments.length===1?I6(e):new Ei(e,t,n,r??1)}function Ei(e,t,n,r){this.l=+e,this.a=+t,this.b=+n,this.opacity=+r}Qu(Ei,el,Yc(lo,{brighter(e){
return new Ei(this.l+x0*(e??1),this.a,this.b,this.opacity)},darker(e){return new Ei(this.l-x0*(e??1),this.a,this.b,this.opacity)},rgb(){var e=(this.l+16)/116,t=isNaN(
this.a)?e:e+this.a/500,n=isNaN(this.b)?e:e-this.b/200;return t=R6*Yb(t),e=O6*Yb(e),n=N6*Yb(n),new Pt(Vb(3.1338561*t-1.6168667*e-.4906146*n),Vb(-.9787684*t+1.9161415*
e+.033454*n),Vb(.0719453*t-.2289914*e+1.4052427*n),this.opacity)}}));function Hb(e){return e>YL?Math.pow(e,1/3):e/P6+B6}function Yb(e){return e>Xu?e*e*e:P6*(e-B6)}
function Vb(e){return 255*(e<=.0031308?12.92*e:1.055*Math.pow(e,1/2.4)-.055)}function Xb(e){return(e/=255)<=.04045?e/12.92:Math.pow((e+.055)/1.055,2.4)}function VL(e){
if(e instanceof fa)return new fa(e.h,e.c,e.l,e.opacity);if(e instanceof Ei||(e=I6(e)),e.a===0&&e.b===0)return new fa(NaN,0<e.l&&e.l<100?0:NaN,e.l,e.opacity);var t=Math.
atan2(e.b,e.a)*T6;return new fa(t<0?t+360:t,Math.sqrt(e.a*e.a+e.b*e.b),e.l,e.opacity)}function tl(e,t,n,r){return arguments.length===1?VL(e):new fa(e,t,n,r??1)}function fa(e,t,n,r){this.h=+e,this.c=+t,this.l=+n,this.opacity=+r}function z6(e){if(isNaN(
e.h))return new Ei(e.l,0,0,e.opacity);var t=e.h*$6;return new Ei(e.l,Math.cos(t)*e.c,Math.sin(t)*e.c,e.opacity)}Qu(fa,tl,Yc(lo,{brighter(e){return new fa(this.h,
this.c,this.l+x0*(e??1),this.opacity)},darker(e){return new fa(this.h,this.c,this.l-x0*(e??1),this.opacity)},rgb(){return z6(this).rgb()}}));var L6=-.14861,Qb=1.78277,
Zb=-.29227,v0=-.90649,Hc=1.97294,k6=Hc*v0,F6=Hc*Qb,M6=Qb*Zb-v0*L6;function XL(e){if(e instanceof ys)return new ys(e.h,e.s,e.l,e.opacity);e instanceof Pt||(e=Kb(
e));var t=e.r/255,n=e.g/255,r=e.b/255,i=(M6*r+k6*t-F6*n)/(M6+k6-F6),a=r-i,o=(Hc*(n-i)-Zb*a)/v0,s=Math.sqrt(o*o+a*a)/(Hc*i*(1-i)),u=s?Math.atan2(o,a)*T6-120:NaN;
return new ys(u<0?u+360:u,s,i,e.opacity)}function xr(e,t,n,r){return arguments.length===1?XL(e):new ys(e,t,n,r??1)}function ys(e,t,n,r){this.h=+e,this.s=+t,this.
l=+n,this.opacity=+r}Qu(ys,xr,Yc(lo,{brighter(e){return e=e==null?Ku:Math.pow(Ku,e),new ys(this.h,this.s,this.l*e,this.opacity)},darker(e){return e=e==null?bs:Math.
pow(bs,e),new ys(this.h,this.s,this.l*e,this.opacity)},rgb(){var e=isNaN(this.h)?0:(this.h+120)*$6,t=+this.l,n=isNaN(this.s)?0:this.s*t*(1-t),r=Math.cos(e),i=Math.
sin(e);return new Pt(255*(t+n*(L6*r+Qb*i)),255*(t+n*(Zb*r+v0*i)),255*(t+n*(Hc*r)),this.opacity)}}));function j6(e,t,n,r,i){var a=e*e,o=a*e;return((1-3*e+3*a-o)*t+(4-6*a+3*o)*n+(1+3*e+3*a-3*o)*r+o*i)/6}function W6(e){var t=e.length-1;return function(n){var r=n<=
0?n=0:n>=1?(n=1,t-1):Math.floor(n*t),i=e[r],a=e[r+1],o=r>0?e[r-1]:2*i-a,s=r<t-1?e[r+2]:2*a-i;return j6((n-r/t)*t,o,i,a,s)}}function G6(e){var t=e.length;return function(n){
var r=Math.floor(((n%=1)<0?++n:n)*t),i=e[(r+t-1)%t],a=e[r%t],o=e[(r+1)%t],s=e[(r+2)%t];return j6((n-r/t)*t,i,a,o,s)}}var A0=e=>()=>e;function H6(e,t){return function(n){
return e+n*t}}function KL(e,t,n){return e=Math.pow(e,n),t=Math.pow(t,n)-e,n=1/n,function(r){return Math.pow(e+r*t,n)}}function E0(e,t){var n=t-e;return n?H6(e,n>
180||n<-180?n-360*Math.round(n/360):n):A0(isNaN(e)?t:e)}function QL(e){return(e=+e)==1?It:function(t,n){return n-t?KL(t,n,e):A0(isNaN(t)?n:t)}}function It(e,t){
var n=t-e;return n?H6(e,n):A0(isNaN(e)?t:e)}var ex=(function e(t){var n=QL(t);function r(i,a){var o=n((i=or(i)).r,(a=or(a)).r),s=n(i.g,a.g),u=n(i.b,a.b),l=It(i.
opacity,a.opacity);return function(c){return i.r=o(c),i.g=s(c),i.b=u(c),i.opacity=l(c),i+""}}return r.gamma=e,r})(1);function Y6(e){return function(t){var n=t.length,
r=new Array(n),i=new Array(n),a=new Array(n),o,s;for(o=0;o<n;++o)s=or(t[o]),r[o]=s.r||0,i[o]=s.g||0,a[o]=s.b||0;return r=e(r),i=e(i),a=e(a),s.opacity=1,function(u){
return s.r=r(u),s.g=i(u),s.b=a(u),s+""}}}var rx=Y6(W6),ZL=Y6(G6);function ix(e,t){t||(t=[]);var n=e?Math.min(t.length,e.length):0,r=t.slice(),i;return function(a){
for(i=0;i<n;++i)r[i]=e[i]*(1-a)+t[i]*a;return r}}function V6(e){return ArrayBuffer.isView(e)&&!(e instanceof DataView)}function JL(e,t){return(V6(t)?ix:X6)(e,t)}
function X6(e,t){var n=t?t.length:0,r=e?Math.min(n,e.length):0,i=new Array(r),a=new Array(n),o;for(o=0;o<r;++o)i[o]=Si(e[o],t[o]);for(;o<n;++o)a[o]=t[o];return function(s){
for(o=0;o<r;++o)a[o]=i[o](s);return a}}function K6(e,t){var n=new Date;return e=+e,t=+t,function(r){return n.setTime(e*(1-r)+t*r),n}}function vr(e,t){return e=+e,
t=+t,function(n){return e*(1-n)+t*n}}function Q6(e,t){var n={},r={},i;(e===null||typeof e!="object")&&(e={}),(t===null||typeof t!="object")&&(t={});for(i in t)i in
e?n[i]=Si(e[i],t[i]):r[i]=t[i];return function(a){for(i in n)r[i]=n[i](a);return r}}var tx=/[-+]?(?:\d+\.?\d*|\.?\d+)(?:[eE][-+]?\d+)?/g,Jb=new RegExp(tx.source,
"g");function eU(e){return function(){return e}}function tU(e){return function(t){return e(t)+""}}function Z6(e,t){var n=tx.lastIndex=Jb.lastIndex=0,r,i,a,o=-1,
s=[],u=[];for(e=e+"",t=t+"";(r=tx.exec(e))&&(i=Jb.exec(t));)(a=i.index)>n&&(a=t.slice(n,a),s[o]?s[o]+=a:s[++o]=a),(r=r[0])===(i=i[0])?s[o]?s[o]+=i:s[++o]=i:(s[++o]=
null,u.push({i:o,x:vr(r,i)})),n=Jb.lastIndex;return n<t.length&&(a=t.slice(n),s[o]?s[o]+=a:s[++o]=a),s.length<2?u[0]?tU(u[0].x):eU(t):(t=u.length,function(l){for(var c=0,
f;c<t;++c)s[(f=u[c]).i]=f.x(l);return s.join("")})}function Si(e,t){var n=typeof t,r;return t==null||n==="boolean"?A0(t):(n==="number"?vr:n==="string"?(r=Zu(t))?
(t=r,ex):Z6:t instanceof Zu?ex:t instanceof Date?K6:V6(t)?ix:Array.isArray(t)?X6:typeof t.valueOf!="function"&&typeof t.toString!="function"||isNaN(t)?Q6:vr)(e,
t)}function nU(e){var t=e.length;return function(n){return e[Math.max(0,Math.min(t-1,Math.floor(n*t)))]}}function rU(e,t){var n=E0(+e,+t);return function(r){var i=n(
r);return i-360*Math.floor(i/360)}}function xs(e,t){return e=+e,t=+t,function(n){return Math.round(e*(1-n)+t*n)}}var U6=180/Math.PI,nx={translateX:0,translateY:0,
rotate:0,skewX:0,scaleX:1,scaleY:1};function J6(e,t,n,r,i,a){var o,s,u;return(o=Math.sqrt(e*e+t*t))&&(e/=o,t/=o),(u=e*n+t*r)&&(n-=e*u,r-=t*u),(s=Math.sqrt(n*n+r*
r))&&(n/=s,r/=s,u/=s),e*r<t*n&&(e=-e,t=-t,u=-u,o=-o),{translateX:i,translateY:a,rotate:Math.atan2(t,e)*U6,skewX:Math.atan(u)*U6,scaleX:o,scaleY:s}}var w0;function iU(e){
let t=new(typeof DOMMatrix=="function"?DOMMatrix:WebKitCSSMatrix)(e+"");return t.isIdentity?nx:J6(t.a,t.b,t.c,t.d,t.e,t.f)}function aU(e){return e==null||(w0||(w0=
document.createElementNS("http://www.w3.org/2000/svg","g")),w0.setAttribute("transform",e),!(e=w0.transform.baseVal.consolidate()))?nx:(e=e.matrix,J6(e.a,e.b,e.
c,e.d,e.e,e.f))}function e8(e,t,n,r){function i(l){return l.length?l.pop()+" ":""}function a(l,c,f,d,h,p){if(l!==f||c!==d){var g=h.push("translate(",null,t,null,
n);p.push({i:g-4,x:vr(l,f)},{i:g-2,x:vr(c,d)})}else(f||d)&&h.push("translate("+f+t+d+n)}function o(l,c,f,d){l!==c?(l-c>180?c+=360:c-l>180&&(l+=360),d.push({i:f.
push(i(f)+"rotate(",null,r)-2,x:vr(l,c)})):c&&f.push(i(f)+"rotate("+c+r)}function s(l,c,f,d){l!==c?d.push({i:f.push(i(f)+"skewX(",null,r)-2,x:vr(l,c)}):c&&f.push(
i(f)+"skewX("+c+r)}function u(l,c,f,d,h,p){if(l!==f||c!==d){var g=h.push(i(h)+"scale(",null,",",null,")");p.push({i:g-4,x:vr(l,f)},{i:g-2,x:vr(c,d)})}else(f!==1||
d!==1)&&h.push(i(h)+"scale("+f+","+d+")")}return function(l,c){var f=[],d=[];return l=e(l),c=e(c),a(l.translateX,l.translateY,c.translateX,c.translateY,f,d),o(l.
rotate,c.rotate,f,d),s(l.skewX,c.skewX,f,d),u(l.scaleX,l.scaleY,c.scaleX,c.scaleY,f,d),l=c=null,function(h){for(var p=-1,g=d.length,m;++p<g;)f[(m=d[p]).i]=m.x(h);
return f.join("")}}}var oU=e8(iU,"px, ","px)","deg)"),sU=e8(aU,", ",")",")"),uU=1e-12;function q6(e){return((e=Math.exp(e))+1/e)/2}function lU(e){return((e=Math.
exp(e))-1/e)/2}function cU(e){return((e=Math.exp(2*e))-1)/(e+1)}var fU=(function e(t,n,r){function i(a,o){var s=a[0],u=a[1],l=a[2],c=o[0],f=o[1],d=o[2],h=c-s,p=f-
u,g=h*h+p*p,m,y;if(g<uU)y=Math.log(d/l)/t,m=function(A){return[s+A*h,u+A*p,l*Math.exp(t*A*y)]};else{var b=Math.sqrt(g),x=(d*d-l*l+r*g)/(2*l*n*b),v=(d*d-l*l-r*g)/
(2*d*n*b),w=Math.log(Math.sqrt(x*x+1)-x),E=Math.log(Math.sqrt(v*v+1)-v);y=(E-w)/t,m=function(A){var S=A*y,C=q6(w),_=l/(n*b)*(C*cU(t*S+w)-lU(w));return[s+_*h,u+_*
p,l*C/q6(t*S+w)]}}return m.duration=Math.abs(y)*1e3*t/Math.SQRT2,m}return i.rho=function(a){var o=Math.max(.001,+a),s=o*o,u=s*s;return e(o,s,u)},i})(Math.SQRT2,
2,4);function t8(e){return function(t,n){var r=e((t=Ju(t)).h,(n=Ju(n)).h),i=It(t.s,n.s),a=It(t.l,n.l),o=It(t.opacity,n.opacity);return function(s){return t.h=r(
s),t.s=i(s),t.l=a(s),t.opacity=o(s),t+""}}}var dU=t8(E0),hU=t8(It);function pU(e,t){var n=It((e=el(e)).l,(t=el(t)).l),r=It(e.a,t.a),i=It(e.b,t.b),a=It(e.opacity,
t.opacity);return function(o){return e.l=n(o),e.a=r(o),e.b=i(o),e.opacity=a(o),e+""}}function n8(e){return function(t,n){var r=e((t=tl(t)).h,(n=tl(n)).h),i=It(t.
c,n.c),a=It(t.l,n.l),o=It(t.opacity,n.opacity);return function(s){return t.h=r(s),t.c=i(s),t.l=a(s),t.opacity=o(s),t+""}}}var gU=n8(E0),mU=n8(It);function r8(e){
return(function t(n){n=+n;function r(i,a){var o=e((i=xr(i)).h,(a=xr(a)).h),s=It(i.s,a.s),u=It(i.l,a.l),l=It(i.opacity,a.opacity);return function(c){return i.h=o(
c),i.s=s(c),i.l=u(Math.pow(c,n)),i.opacity=l(c),i+""}}return r.gamma=t,r})(1)}var yU=r8(E0),Vc=r8(It);function Xc(e,t){t===void 0&&(t=e,e=Si);for(var n=0,r=t.length-
1,i=t[0],a=new Array(r<0?0:r);n<r;)a[n]=e(i,i=t[++n]);return function(o){var s=Math.max(0,Math.min(r-1,Math.floor(o*=r)));return a[s](o-s)}}function bU(e,t){for(var n=new Array(
t),r=0;r<t;++r)n[r]=e(r/(t-1));return n}function Ci(e,t){switch(arguments.length){case 0:break;case 1:this.range(e);break;default:this.range(t).domain(e);break}return this}function co(e,t){switch(arguments.
length){case 0:break;case 1:{typeof e=="function"?this.interpolator(e):this.range(e);break}default:{this.domain(e),typeof t=="function"?this.interpolator(t):this.
range(t);break}}return this}var Kc=Symbol("implicit");function Qc(){var e=new mc,t=[],n=[],r=Kc;function i(a){let o=e.get(a);if(o===void 0){if(r!==Kc)return r;e.
set(a,o=t.push(a)-1)}return n[o%n.length]}return i.domain=function(a){if(!arguments.length)return t.slice();t=[],e=new mc;for(let o of a)e.has(o)||e.set(o,t.push(
o)-1);return i},i.range=function(a){return arguments.length?(n=Array.from(a),i):n.slice()},i.unknown=function(a){return arguments.length?(r=a,i):r},i.copy=function(){
return Qc(t,n).unknown(r)},Ci.apply(i,arguments),i}function xU(e){return function(){return e}}function ox(e){return+e}var i8=[0,1];function Ln(e){return e}function sx(e,t){return(t-=e=+e)?function(n){return(n-e)/
t}:xU(isNaN(t)?NaN:.5)}function vU(e,t){var n;return e>t&&(n=e,e=t,t=n),function(r){return Math.max(e,Math.min(t,r))}}function wU(e,t,n){var r=e[0],i=e[1],a=t[0],
o=t[1];return i<r?(r=sx(i,r),a=n(o,a)):(r=sx(r,i),a=n(a,o)),function(s){return a(r(s))}}function AU(e,t,n){var r=Math.min(e.length,t.length)-1,i=new Array(r),a=new Array(
r),o=-1;for(e[r]<e[0]&&(e=e.slice().reverse(),t=t.slice().reverse());++o<r;)i[o]=sx(e[o],e[o+1]),a[o]=n(t[o],t[o+1]);return function(s){var u=yi(e,s,1,r)-1;return a[u](
i[u](s))}}function Zc(e,t){return t.domain(e.domain()).range(e.range()).interpolate(e.interpolate()).clamp(e.clamp()).unknown(e.unknown())}function S0(){var e=i8,
t=i8,n=Si,r,i,a,o=Ln,s,u,l;function c(){var d=Math.min(e.length,t.length);return o!==Ln&&(o=vU(e[0],e[d-1])),s=d>2?AU:wU,u=l=null,f}function f(d){return d==null||
isNaN(d=+d)?a:(u||(u=s(e.map(r),t,n)))(r(o(d)))}return f.invert=function(d){return o(i((l||(l=s(t,e.map(r),vr)))(d)))},f.domain=function(d){return arguments.length?
(e=Array.from(d,ox),c()):e.slice()},f.range=function(d){return arguments.length?(t=Array.from(d),c()):t.slice()},f.rangeRound=function(d){return t=Array.from(d),
n=xs,c()},f.clamp=function(d){return arguments.length?(o=d?!0:Ln,c()):o!==Ln},f.interpolate=function(d){return arguments.length?(n=d,c()):n},f.unknown=function(d){
return arguments.length?(a=d,f):a},function(d,h){return r=d,i=h,c()}}function f8(){return S0()(Ln,Ln)}function ux(e,t,n,r){var i=sn(e,t,n),a;switch(r=ra(r??",f"),
r.type){case"s":{var o=Math.max(Math.abs(e),Math.abs(t));return r.precision==null&&!isNaN(a=zh(i,o))&&(r.precision=a),bc(r,o)}case"":case"e":case"g":case"p":case"\
r":{r.precision==null&&!isNaN(a=Lh(i,Math.max(Math.abs(e),Math.abs(t))))&&(r.precision=a-(r.type==="e"));break}case"f":case"%":{r.precision==null&&!isNaN(a=Ih(i))&&
(r.precision=a-(r.type==="%")*2);break}}return Nu(r)}function vs(e){var t=e.domain;return e.ticks=function(n){var r=t();return $h(r[0],r[r.length-1],n??10)},e.tickFormat=
function(n,r){var i=t();return ux(i[0],i[i.length-1],n??10,r)},e.nice=function(n){n==null&&(n=10);var r=t(),i=0,a=r.length-1,o=r[i],s=r[a],u,l,c=10;for(s<o&&(l=
o,o=s,s=l,l=i,i=a,a=l);c-- >0;){if(l=Mh(o,s,n),l===u)return r[i]=o,r[a]=s,t(r);if(l>0)o=Math.floor(o/l)*l,s=Math.ceil(s/l)*l;else if(l<0)o=Math.ceil(o*l)/l,s=Math.
floor(s*l)/l;else break;u=l}return e},e}function lx(){var e=f8();return e.copy=function(){return Zc(e,lx())},Ci.apply(e,arguments),vs(e)}function cx(e){var t;function n(r){
return r==null||isNaN(r=+r)?t:r}return n.invert=n,n.domain=n.range=function(r){return arguments.length?(e=Array.from(r,ox),n):e.slice()},n.unknown=function(r){return arguments.
length?(t=r,n):t},n.copy=function(){return cx(e).unknown(t)},e=arguments.length?Array.from(e,ox):[0,1],vs(n)}function d8(e,t){e=e.slice();var n=0,r=e.length-1,i=e[n],
a=e[r],o;return a<i&&(o=n,n=r,r=o,o=i,i=a,a=o),e[n]=t.floor(i),e[r]=t.ceil(a),e}function a8(e){return Math.log(e)}function o8(e){return Math.exp(e)}function EU(e){
return-Math.log(-e)}function SU(e){return-Math.exp(-e)}function CU(e){return isFinite(e)?+("1e"+e):e<0?0:e}function _U(e){return e===10?CU:e===Math.E?Math.exp:t=>Math.
pow(e,t)}function kU(e){return e===Math.E?Math.log:e===10&&Math.log10||e===2&&Math.log2||(e=Math.log(e),t=>Math.log(t)/e)}function s8(e){return(t,n)=>-e(-t,n)}function fx(e){
let t=e(a8,o8),n=t.domain,r=10,i,a;function o(){return i=kU(r),a=_U(r),n()[0]<0?(i=s8(i),a=s8(a),e(EU,SU)):e(a8,o8),t}return t.base=function(s){return arguments.
length?(r=+s,o()):r},t.domain=function(s){return arguments.length?(n(s),o()):n()},t.ticks=s=>{let u=n(),l=u[0],c=u[u.length-1],f=c<l;f&&([l,c]=[c,l]);let d=i(l),
h=i(c),p,g,m=s==null?10:+s,y=[];if(!(r%1)&&h-d<m){if(d=Math.floor(d),h=Math.ceil(h),l>0){for(;d<=h;++d)for(p=1;p<r;++p)if(g=d<0?p/a(-d):p*a(d),!(g<l)){if(g>c)break;
y.push(g)}}else for(;d<=h;++d)for(p=r-1;p>=1;--p)if(g=d>0?p/a(-d):p*a(d),!(g<l)){if(g>c)break;y.push(g)}y.length*2<m&&(y=$h(l,c,m))}else y=$h(d,h,Math.min(h-d,m)).
map(a);return f?y.reverse():y},t.tickFormat=(s,u)=>{if(s==null&&(s=10),u==null&&(u=r===10?"s":","),typeof u!="function"&&(!(r%1)&&(u=ra(u)).precision==null&&(u.
trim=!0),u=Nu(u)),s===1/0)return u;let l=Math.max(1,r*s/t.ticks().length);return c=>{let f=c/a(Math.round(i(c)));return f*r<r-.5&&(f*=r),f<=l?u(c):""}},t.nice=()=>n(
d8(n(),{floor:s=>a(Math.floor(i(s))),ceil:s=>a(Math.ceil(i(s)))})),t}function dx(){let e=fx(S0()).domain([1,10]);return e.copy=()=>Zc(e,dx()).base(e.base()),Ci.
apply(e,arguments),e}function u8(e){return function(t){return Math.sign(t)*Math.log1p(Math.abs(t/e))}}function l8(e){return function(t){return Math.sign(t)*Math.
expm1(Math.abs(t))*e}}function hx(e){var t=1,n=e(u8(t),l8(t));return n.constant=function(r){return arguments.length?e(u8(t=+r),l8(t)):t},vs(n)}function px(){var e=hx(
S0());return e.copy=function(){return Zc(e,px()).constant(e.constant())},Ci.apply(e,arguments)}function c8(e){return function(t){return t<0?-Math.pow(-t,e):Math.
pow(t,e)}}function FU(e){return e<0?-Math.sqrt(-e):Math.sqrt(e)}function MU(e){return e<0?-e*e:e*e}function gx(e){var t=e(Ln,Ln),n=1;function r(){return n===1?e(
Ln,Ln):n===.5?e(FU,MU):e(c8(n),c8(1/n))}return t.exponent=function(i){return arguments.length?(n=+i,r()):n},vs(t)}function C0(){var e=gx(S0());return e.copy=function(){
return Zc(e,C0()).exponent(e.exponent())},Ci.apply(e,arguments),e}function h8(){return C0.apply(null,arguments).exponent(.5)}function mx(){var e=[],t=[],n=[],r;function i(){var o=0,s=Math.max(1,t.length);for(n=new Array(s-1);++o<s;)n[o-1]=Th(e,o/s);return a}function a(o){return o==null||
isNaN(o=+o)?r:t[yi(n,o)]}return a.invertExtent=function(o){var s=t.indexOf(o);return s<0?[NaN,NaN]:[s>0?n[s-1]:e[0],s<n.length?n[s]:e[e.length-1]]},a.domain=function(o){
if(!arguments.length)return e.slice();e=[];for(let s of o)s!=null&&!isNaN(s=+s)&&e.push(s);return e.sort(Pr),i()},a.range=function(o){return arguments.length?(t=
Array.from(o),i()):t.slice()},a.unknown=function(o){return arguments.length?(r=o,a):r},a.quantiles=function(){return n.slice()},a.copy=function(){return mx().domain(
e).range(t).unknown(r)},Ci.apply(a,arguments)}function yx(){var e=0,t=1,n=1,r=[.5],i=[0,1],a;function o(u){return u!=null&&u<=u?i[yi(r,u,0,n)]:a}function s(){var u=-1;
for(r=new Array(n);++u<n;)r[u]=((u+1)*t-(u-n)*e)/(n+1);return o}return o.domain=function(u){return arguments.length?([e,t]=u,e=+e,t=+t,s()):[e,t]},o.range=function(u){
return arguments.length?(n=(i=Array.from(u)).length-1,s()):i.slice()},o.invertExtent=function(u){var l=i.indexOf(u);return l<0?[NaN,NaN]:l<1?[e,r[0]]:l>=n?[r[n-
1],t]:[r[l-1],r[l]]},o.unknown=function(u){return arguments.length&&(a=u),o},o.thresholds=function(){return r.slice()},o.copy=function(){return yx().domain([e,t]).
range(i).unknown(a)},Ci.apply(vs(o),arguments)}function bx(){var e=[.5],t=[0,1],n,r=1;function i(a){return a!=null&&a<=a?t[yi(e,a,0,r)]:n}return i.domain=function(a){
return arguments.length?(e=Array.from(a),r=Math.min(e.length,t.length-1),i):e.slice()},i.range=function(a){return arguments.length?(t=Array.from(a),r=Math.min(e.
length,t.length-1),i):t.slice()},i.invertExtent=function(a){var o=t.indexOf(a);return[e[o-1],e[o]]},i.unknown=function(a){return arguments.length?(n=a,i):n},i.copy=
function(){return bx().domain(e).range(t).unknown(n)},Ci.apply(i,arguments)}function DU(e){return new Date(e)}function $U(e){return e instanceof Date?+e:Math.round(
e)}function xx(e,t,n,r,i,a,o,s,u,l){var c=f8(),f=c.invert,d=c.domain,h=l(".%L"),p=l(":%S"),g=l("%I:%M"),m=l("%I %p"),y=l("%a %d"),b=l("%b %d"),x=l("%B"),v=l("%Y");
function w(E){return(u(E)<E?h:s(E)<E?p:o(E)<E?g:a(E)<E?m:r(E)<E?i(E)<E?y:b:n(E)<E?x:v)(E)}return c.invert=function(E){return new Date(Math.round(f(E)))},c.domain=
function(E){return arguments.length?d(Array.from(E,$U)):d().map(DU)},c.ticks=function(E){var A=d();return e(A[0],A[A.length-1],E??10)},c.tickFormat=function(E,A){
return A==null?w:l(A)},c.nice=function(E){var A=d();return(!E||typeof E.range!="function")&&(E=t(A[0],A[A.length-1],E??10)),E?d(d8(A,E)):c},c.copy=function(){return Zc(
c,xx(e,t,n,r,i,a,o,s,u,l))},c}function p8(){return Ci.apply(xx(vS,wS,nr,ls,sa,In,Iu,Bu,er,Mc).domain([new Date(2e3,0,1),new Date(2e3,0,2)]),arguments)}function g8(){
return Ci.apply(xx(bS,xS,rr,cs,ua,tr,zu,Pu,er,qu).domain([Date.UTC(2e3,0,1),Date.UTC(2e3,0,2)]),arguments)}function _0(){var e=0,t=1,n,r,i,a,o=Ln,s=!1,u;function l(f){
return f==null||isNaN(f=+f)?u:o(i===0?.5:(f=(a(f)-n)*i,s?Math.max(0,Math.min(1,f)):f))}l.domain=function(f){return arguments.length?([e,t]=f,n=a(e=+e),r=a(t=+t),
i=n===r?0:1/(r-n),l):[e,t]},l.clamp=function(f){return arguments.length?(s=!!f,l):s},l.interpolator=function(f){return arguments.length?(o=f,l):o};function c(f){
return function(d){var h,p;return arguments.length?([h,p]=d,o=f(h,p),l):[o(0),o(1)]}}return l.range=c(Si),l.rangeRound=c(xs),l.unknown=function(f){return arguments.
length?(u=f,l):u},function(f){return a=f,n=f(e),r=f(t),i=n===r?0:1/(r-n),l}}function fo(e,t){return t.domain(e.domain()).interpolator(e.interpolator()).clamp(e.
clamp()).unknown(e.unknown())}function k0(){var e=vs(_0()(Ln));return e.copy=function(){return fo(e,k0())},co.apply(e,arguments)}function vx(){var e=fx(_0()).domain(
[1,10]);return e.copy=function(){return fo(e,vx()).base(e.base())},co.apply(e,arguments)}function wx(){var e=hx(_0());return e.copy=function(){return fo(e,wx()).
constant(e.constant())},co.apply(e,arguments)}function F0(){var e=gx(_0());return e.copy=function(){return fo(e,F0()).exponent(e.exponent())},co.apply(e,arguments)}
function m8(){return F0.apply(null,arguments).exponent(.5)}function M0(){var e=0,t=.5,n=1,r=1,i,a,o,s,u,l=Ln,c,f=!1,d;function h(g){return g==null||isNaN(g=+g)?d:(g=.5+((g=+c(g))-a)*(r*g<r*a?s:u),l(f?Math.max(0,Math.min(
1,g)):g))}h.domain=function(g){return arguments.length?([e,t,n]=g,i=c(e=+e),a=c(t=+t),o=c(n=+n),s=i===a?0:.5/(a-i),u=a===o?0:.5/(o-a),r=a<i?-1:1,h):[e,t,n]},h.clamp=
function(g){return arguments.length?(f=!!g,h):f},h.interpolator=function(g){return arguments.length?(l=g,h):l};function p(g){return function(m){var y,b,x;return arguments.
length?([y,b,x]=m,l=Xc(g,[y,b,x]),h):[l(0),l(.5),l(1)]}}return h.range=p(Si),h.rangeRound=p(xs),h.unknown=function(g){return arguments.length?(d=g,h):d},function(g){
return c=g,i=g(e),a=g(t),o=g(n),s=i===a?0:.5/(a-i),u=a===o?0:.5/(o-a),r=a<i?-1:1,h}}function Ax(){var e=vs(M0()(Ln));return e.copy=function(){return fo(e,Ax())},
co.apply(e,arguments)}function Ex(){var e=fx(M0()).domain([.1,1,10]);return e.copy=function(){return fo(e,Ex()).base(e.base())},co.apply(e,arguments)}function Sx(){
var e=hx(M0());return e.copy=function(){return fo(e,Sx()).constant(e.constant())},co.apply(e,arguments)}function D0(){var e=gx(M0());return e.copy=function(){return fo(
e,D0()).exponent(e.exponent())},co.apply(e,arguments)}function y8(){return D0.apply(null,arguments).exponent(.5)}function pe(e){for(var t=e.length/6|0,n=new Array(t),r=0;r<t;)n[r]="#"+e.slice(r*6,++r*6);return n}var b8=pe("1f77b4ff7f0e2ca02cd627289467bd8c564be377c27f7f7fbc\
bd2217becf"),x8=pe("7fc97fbeaed4fdc086ffff99386cb0f0027fbf5b17666666"),v8=pe("1b9e77d95f027570b3e7298a66a61ee6ab02a6761d666666"),w8=pe("4269d0efb118ff725c6cc5b0\
3ca951ff8ab7a463f297bbf59c6b4e9498a0"),A8=pe("a6cee31f78b4b2df8a33a02cfb9a99e31a1cfdbf6fff7f00cab2d66a3d9affff99b15928"),E8=pe("fbb4aeb3cde3ccebc5decbe4fed9a6ff\
ffcce5d8bdfddaecf2f2f2"),S8=pe("b3e2cdfdcdaccbd5e8f4cae4e6f5c9fff2aef1e2cccccccc"),C8=pe("e41a1c377eb84daf4a984ea3ff7f00ffff33a65628f781bf999999"),_8=pe("66c2a5\
fc8d628da0cbe78ac3a6d854ffd92fe5c494b3b3b3"),k8=pe("8dd3c7ffffb3bebadafb807280b1d3fdb462b3de69fccde5d9d9d9bc80bdccebc5ffed6f"),z1e=pe("4e79a7f28e2ce1575976b7b25\
9a14fedc949af7aa1ff9da79c755fbab0ab"),qe=e=>rx(e[e.length-1]),RU=new Array(3).concat("d8b365f5f5f55ab4ac","a6611adfc27d80cdc1018571","a6611adfc27df5f5f580cdc101\
8571","8c510ad8b365f6e8c3c7eae55ab4ac01665e","8c510ad8b365f6e8c3f5f5f5c7eae55ab4ac01665e","8c510abf812ddfc27df6e8c3c7eae580cdc135978f01665e","8c510abf812ddfc27d\
f6e8c3f5f5f5c7eae580cdc135978f01665e","5430058c510abf812ddfc27df6e8c3c7eae580cdc135978f01665e003c30","5430058c510abf812ddfc27df6e8c3f5f5f5c7eae580cdc135978f0166\
5e003c30").map(pe),L1e=qe(RU),OU=new Array(3).concat("af8dc3f7f7f77fbf7b","7b3294c2a5cfa6dba0008837","7b3294c2a5cff7f7f7a6dba0008837","762a83af8dc3e7d4e8d9f0d37\
fbf7b1b7837","762a83af8dc3e7d4e8f7f7f7d9f0d37fbf7b1b7837","762a839970abc2a5cfe7d4e8d9f0d3a6dba05aae611b7837","762a839970abc2a5cfe7d4e8f7f7f7d9f0d3a6dba05aae611b\
7837","40004b762a839970abc2a5cfe7d4e8d9f0d3a6dba05aae611b783700441b","40004b762a839970abc2a5cfe7d4e8f7f7f7d9f0d3a6dba05aae611b783700441b").map(pe),U1e=qe(OU),NU=new Array(
3).concat("e9a3c9f7f7f7a1d76a","d01c8bf1b6dab8e1864dac26","d01c8bf1b6daf7f7f7b8e1864dac26","c51b7de9a3c9fde0efe6f5d0a1d76a4d9221","c51b7de9a3c9fde0eff7f7f7e6f5d\
0a1d76a4d9221","c51b7dde77aef1b6dafde0efe6f5d0b8e1867fbc414d9221","c51b7dde77aef1b6dafde0eff7f7f7e6f5d0b8e1867fbc414d9221","8e0152c51b7dde77aef1b6dafde0efe6f5d0\
b8e1867fbc414d9221276419","8e0152c51b7dde77aef1b6dafde0eff7f7f7e6f5d0b8e1867fbc414d9221276419").map(pe),q1e=qe(NU),BU=new Array(3).concat("998ec3f7f7f7f1a340","\
5e3c99b2abd2fdb863e66101","5e3c99b2abd2f7f7f7fdb863e66101","542788998ec3d8daebfee0b6f1a340b35806","542788998ec3d8daebf7f7f7fee0b6f1a340b35806","5427888073acb2ab\
d2d8daebfee0b6fdb863e08214b35806","5427888073acb2abd2d8daebf7f7f7fee0b6fdb863e08214b35806","2d004b5427888073acb2abd2d8daebfee0b6fdb863e08214b358067f3b08","2d004\
b5427888073acb2abd2d8daebf7f7f7fee0b6fdb863e08214b358067f3b08").map(pe),j1e=qe(BU),PU=new Array(3).concat("ef8a62f7f7f767a9cf","ca0020f4a58292c5de0571b0","ca002\
0f4a582f7f7f792c5de0571b0","b2182bef8a62fddbc7d1e5f067a9cf2166ac","b2182bef8a62fddbc7f7f7f7d1e5f067a9cf2166ac","b2182bd6604df4a582fddbc7d1e5f092c5de4393c32166ac",
"b2182bd6604df4a582fddbc7f7f7f7d1e5f092c5de4393c32166ac","67001fb2182bd6604df4a582fddbc7d1e5f092c5de4393c32166ac053061","67001fb2182bd6604df4a582fddbc7f7f7f7d1e\
5f092c5de4393c32166ac053061").map(pe),W1e=qe(PU),IU=new Array(3).concat("ef8a62ffffff999999","ca0020f4a582bababa404040","ca0020f4a582ffffffbababa404040","b2182b\
ef8a62fddbc7e0e0e09999994d4d4d","b2182bef8a62fddbc7ffffffe0e0e09999994d4d4d","b2182bd6604df4a582fddbc7e0e0e0bababa8787874d4d4d","b2182bd6604df4a582fddbc7ffffffe\
0e0e0bababa8787874d4d4d","67001fb2182bd6604df4a582fddbc7e0e0e0bababa8787874d4d4d1a1a1a","67001fb2182bd6604df4a582fddbc7ffffffe0e0e0bababa8787874d4d4d1a1a1a").map(
pe),G1e=qe(IU),zU=new Array(3).concat("fc8d59ffffbf91bfdb","d7191cfdae61abd9e92c7bb6","d7191cfdae61ffffbfabd9e92c7bb6","d73027fc8d59fee090e0f3f891bfdb4575b4","d\
73027fc8d59fee090ffffbfe0f3f891bfdb4575b4","d73027f46d43fdae61fee090e0f3f8abd9e974add14575b4","d73027f46d43fdae61fee090ffffbfe0f3f8abd9e974add14575b4","a50026d7\
3027f46d43fdae61fee090e0f3f8abd9e974add14575b4313695","a50026d73027f46d43fdae61fee090ffffbfe0f3f8abd9e974add14575b4313695").map(pe),H1e=qe(zU),LU=new Array(3).concat(
"fc8d59ffffbf91cf60","d7191cfdae61a6d96a1a9641","d7191cfdae61ffffbfa6d96a1a9641","d73027fc8d59fee08bd9ef8b91cf601a9850","d73027fc8d59fee08bffffbfd9ef8b91cf601a9\
850","d73027f46d43fdae61fee08bd9ef8ba6d96a66bd631a9850","d73027f46d43fdae61fee08bffffbfd9ef8ba6d96a66bd631a9850","a50026d73027f46d43fdae61fee08bd9ef8ba6d96a66bd\
631a9850006837","a50026d73027f46d43fdae61fee08bffffbfd9ef8ba6d96a66bd631a9850006837").map(pe),Y1e=qe(LU),UU=new Array(3).concat("fc8d59ffffbf99d594","d7191cfdae\
61abdda42b83ba","d7191cfdae61ffffbfabdda42b83ba","d53e4ffc8d59fee08be6f59899d5943288bd","d53e4ffc8d59fee08bffffbfe6f59899d5943288bd","d53e4ff46d43fdae61fee08be6\
f598abdda466c2a53288bd","d53e4ff46d43fdae61fee08bffffbfe6f598abdda466c2a53288bd","9e0142d53e4ff46d43fdae61fee08be6f598abdda466c2a53288bd5e4fa2","9e0142d53e4ff46\
d43fdae61fee08bffffbfe6f598abdda466c2a53288bd5e4fa2").map(pe),V1e=qe(UU),qU=new Array(3).concat("e5f5f999d8c92ca25f","edf8fbb2e2e266c2a4238b45","edf8fbb2e2e266c\
2a42ca25f006d2c","edf8fbccece699d8c966c2a42ca25f006d2c","edf8fbccece699d8c966c2a441ae76238b45005824","f7fcfde5f5f9ccece699d8c966c2a441ae76238b45005824","f7fcfde\
5f5f9ccece699d8c966c2a441ae76238b45006d2c00441b").map(pe),X1e=qe(qU),jU=new Array(3).concat("e0ecf49ebcda8856a7","edf8fbb3cde38c96c688419d","edf8fbb3cde38c96c68\
856a7810f7c","edf8fbbfd3e69ebcda8c96c68856a7810f7c","edf8fbbfd3e69ebcda8c96c68c6bb188419d6e016b","f7fcfde0ecf4bfd3e69ebcda8c96c68c6bb188419d6e016b","f7fcfde0ecf\
4bfd3e69ebcda8c96c68c6bb188419d810f7c4d004b").map(pe),K1e=qe(jU),WU=new Array(3).concat("e0f3dba8ddb543a2ca","f0f9e8bae4bc7bccc42b8cbe","f0f9e8bae4bc7bccc443a2c\
a0868ac","f0f9e8ccebc5a8ddb57bccc443a2ca0868ac","f0f9e8ccebc5a8ddb57bccc44eb3d32b8cbe08589e","f7fcf0e0f3dbccebc5a8ddb57bccc44eb3d32b8cbe08589e","f7fcf0e0f3dbcce\
bc5a8ddb57bccc44eb3d32b8cbe0868ac084081").map(pe),Q1e=qe(WU),GU=new Array(3).concat("fee8c8fdbb84e34a33","fef0d9fdcc8afc8d59d7301f","fef0d9fdcc8afc8d59e34a33b30\
000","fef0d9fdd49efdbb84fc8d59e34a33b30000","fef0d9fdd49efdbb84fc8d59ef6548d7301f990000","fff7ecfee8c8fdd49efdbb84fc8d59ef6548d7301f990000","fff7ecfee8c8fdd49ef\
dbb84fc8d59ef6548d7301fb300007f0000").map(pe),Z1e=qe(GU),HU=new Array(3).concat("ece2f0a6bddb1c9099","f6eff7bdc9e167a9cf02818a","f6eff7bdc9e167a9cf1c9099016c59",
"f6eff7d0d1e6a6bddb67a9cf1c9099016c59","f6eff7d0d1e6a6bddb67a9cf3690c002818a016450","fff7fbece2f0d0d1e6a6bddb67a9cf3690c002818a016450","fff7fbece2f0d0d1e6a6bddb\
67a9cf3690c002818a016c59014636").map(pe),J1e=qe(HU),YU=new Array(3).concat("ece7f2a6bddb2b8cbe","f1eef6bdc9e174a9cf0570b0","f1eef6bdc9e174a9cf2b8cbe045a8d","f1e\
ef6d0d1e6a6bddb74a9cf2b8cbe045a8d","f1eef6d0d1e6a6bddb74a9cf3690c00570b0034e7b","fff7fbece7f2d0d1e6a6bddb74a9cf3690c00570b0034e7b","fff7fbece7f2d0d1e6a6bddb74a9\
cf3690c00570b0045a8d023858").map(pe),eye=qe(YU),VU=new Array(3).concat("e7e1efc994c7dd1c77","f1eef6d7b5d8df65b0ce1256","f1eef6d7b5d8df65b0dd1c77980043","f1eef6d\
4b9dac994c7df65b0dd1c77980043","f1eef6d4b9dac994c7df65b0e7298ace125691003f","f7f4f9e7e1efd4b9dac994c7df65b0e7298ace125691003f","f7f4f9e7e1efd4b9dac994c7df65b0e7\
298ace125698004367001f").map(pe),tye=qe(VU),XU=new Array(3).concat("fde0ddfa9fb5c51b8a","feebe2fbb4b9f768a1ae017e","feebe2fbb4b9f768a1c51b8a7a0177","feebe2fcc5c\
0fa9fb5f768a1c51b8a7a0177","feebe2fcc5c0fa9fb5f768a1dd3497ae017e7a0177","fff7f3fde0ddfcc5c0fa9fb5f768a1dd3497ae017e7a0177","fff7f3fde0ddfcc5c0fa9fb5f768a1dd3497\
ae017e7a017749006a").map(pe),nye=qe(XU),KU=new Array(3).concat("edf8b17fcdbb2c7fb8","ffffcca1dab441b6c4225ea8","ffffcca1dab441b6c42c7fb8253494","ffffccc7e9b47fc\
dbb41b6c42c7fb8253494","ffffccc7e9b47fcdbb41b6c41d91c0225ea80c2c84","ffffd9edf8b1c7e9b47fcdbb41b6c41d91c0225ea80c2c84","ffffd9edf8b1c7e9b47fcdbb41b6c41d91c0225e\
a8253494081d58").map(pe),rye=qe(KU),QU=new Array(3).concat("f7fcb9addd8e31a354","ffffccc2e69978c679238443","ffffccc2e69978c67931a354006837","ffffccd9f0a3addd8e7\
8c67931a354006837","ffffccd9f0a3addd8e78c67941ab5d238443005a32","ffffe5f7fcb9d9f0a3addd8e78c67941ab5d238443005a32","ffffe5f7fcb9d9f0a3addd8e78c67941ab5d23844300\
6837004529").map(pe),iye=qe(QU),ZU=new Array(3).concat("fff7bcfec44fd95f0e","ffffd4fed98efe9929cc4c02","ffffd4fed98efe9929d95f0e993404","ffffd4fee391fec44ffe992\
9d95f0e993404","ffffd4fee391fec44ffe9929ec7014cc4c028c2d04","ffffe5fff7bcfee391fec44ffe9929ec7014cc4c028c2d04","ffffe5fff7bcfee391fec44ffe9929ec7014cc4c02993404\
662506").map(pe),aye=qe(ZU),JU=new Array(3).concat("ffeda0feb24cf03b20","ffffb2fecc5cfd8d3ce31a1c","ffffb2fecc5cfd8d3cf03b20bd0026","ffffb2fed976feb24cfd8d3cf03\
b20bd0026","ffffb2fed976feb24cfd8d3cfc4e2ae31a1cb10026","ffffccffeda0fed976feb24cfd8d3cfc4e2ae31a1cb10026","ffffccffeda0fed976feb24cfd8d3cfc4e2ae31a1cbd00268000\
26").map(pe),oye=qe(JU),eq=new Array(3).concat("deebf79ecae13182bd","eff3ffbdd7e76baed62171b5","eff3ffbdd7e76baed63182bd08519c","eff3ffc6dbef9ecae16baed63182bd0\
8519c","eff3ffc6dbef9ecae16baed64292c62171b5084594","f7fbffdeebf7c6dbef9ecae16baed64292c62171b5084594","f7fbffdeebf7c6dbef9ecae16baed64292c62171b508519c08306b").
map(pe),sye=qe(eq),tq=new Array(3).concat("e5f5e0a1d99b31a354","edf8e9bae4b374c476238b45","edf8e9bae4b374c47631a354006d2c","edf8e9c7e9c0a1d99b74c47631a354006d2c",
"edf8e9c7e9c0a1d99b74c47641ab5d238b45005a32","f7fcf5e5f5e0c7e9c0a1d99b74c47641ab5d238b45005a32","f7fcf5e5f5e0c7e9c0a1d99b74c47641ab5d238b45006d2c00441b").map(pe),
uye=qe(tq),nq=new Array(3).concat("f0f0f0bdbdbd636363","f7f7f7cccccc969696525252","f7f7f7cccccc969696636363252525","f7f7f7d9d9d9bdbdbd969696636363252525","f7f7f\
7d9d9d9bdbdbd969696737373525252252525","fffffff0f0f0d9d9d9bdbdbd969696737373525252252525","fffffff0f0f0d9d9d9bdbdbd969696737373525252252525000000").map(pe),lye=qe(
nq),rq=new Array(3).concat("efedf5bcbddc756bb1","f2f0f7cbc9e29e9ac86a51a3","f2f0f7cbc9e29e9ac8756bb154278f","f2f0f7dadaebbcbddc9e9ac8756bb154278f","f2f0f7dadaeb\
bcbddc9e9ac8807dba6a51a34a1486","fcfbfdefedf5dadaebbcbddc9e9ac8807dba6a51a34a1486","fcfbfdefedf5dadaebbcbddc9e9ac8807dba6a51a354278f3f007d").map(pe),cye=qe(rq),
iq=new Array(3).concat("fee0d2fc9272de2d26","fee5d9fcae91fb6a4acb181d","fee5d9fcae91fb6a4ade2d26a50f15","fee5d9fcbba1fc9272fb6a4ade2d26a50f15","fee5d9fcbba1fc92\
72fb6a4aef3b2ccb181d99000d","fff5f0fee0d2fcbba1fc9272fb6a4aef3b2ccb181d99000d","fff5f0fee0d2fcbba1fc9272fb6a4aef3b2ccb181da50f1567000d").map(pe),fye=qe(iq),aq=new Array(
3).concat("fee6cefdae6be6550d","feeddefdbe85fd8d3cd94701","feeddefdbe85fd8d3ce6550da63603","feeddefdd0a2fdae6bfd8d3ce6550da63603","feeddefdd0a2fdae6bfd8d3cf1691\
3d948018c2d04","fff5ebfee6cefdd0a2fdae6bfd8d3cf16913d948018c2d04","fff5ebfee6cefdd0a2fdae6bfd8d3cf16913d94801a636037f2704").map(pe),dye=qe(aq);var hye=Vc(xr(300,.5,0),xr(-240,.5,1)),pye=Vc(xr(-100,.75,.35),xr(80,1.5,.8)),gye=Vc(xr(260,.75,.35),xr(80,1.5,.8)),mye=xr();var yye=or(),bye=Math.PI/3,xye=Math.PI*2/3;function $0(e){var t=e.length;return function(n){return e[Math.max(0,Math.min(t-1,Math.floor(n*t)))]}}var vye=$0(pe("44015444025645045745055946075a46085c460a5d4\
60b5e470d60470e6147106347116447136548146748166848176948186a481a6c481b6d481c6e481d6f481f70482071482173482374482475482576482677482878482979472a7a472c7a472d7b472e7\
c472f7d46307e46327e46337f463480453581453781453882443983443a83443b84433d84433e85423f854240864241864142874144874045884046883f47883f48893e49893e4a893e4c8a3d4d8a3d4\
e8a3c4f8a3c508b3b518b3b528b3a538b3a548c39558c39568c38588c38598c375a8c375b8d365c8d365d8d355e8d355f8d34608d34618d33628d33638d32648e32658e31668e31678e31688e30698e3\
06a8e2f6b8e2f6c8e2e6d8e2e6e8e2e6f8e2d708e2d718e2c718e2c728e2c738e2b748e2b758e2a768e2a778e2a788e29798e297a8e297b8e287c8e287d8e277e8e277f8e27808e26818e26828e26828\
e25838e25848e25858e24868e24878e23888e23898e238a8d228b8d228c8d228d8d218e8d218f8d21908d21918c20928c20928c20938c1f948c1f958b1f968b1f978b1f988b1f998a1f9a8a1e9b8a1e9\
c891e9d891f9e891f9f881fa0881fa1881fa1871fa28720a38620a48621a58521a68522a78522a88423a98324aa8325ab8225ac8226ad8127ad8128ae8029af7f2ab07f2cb17e2db27d2eb37c2fb47c3\
1b57b32b67a34b67935b77937b87838b9773aba763bbb753dbc743fbc7340bd7242be7144bf7046c06f48c16e4ac16d4cc26c4ec36b50c46a52c56954c56856c66758c7655ac8645cc8635ec96260ca6\
063cb5f65cb5e67cc5c69cd5b6ccd5a6ece5870cf5773d05675d05477d1537ad1517cd2507fd34e81d34d84d44b86d54989d5488bd6468ed64590d74393d74195d84098d83e9bd93c9dd93ba0da39a2d\
a37a5db36a8db34aadc32addc30b0dd2fb2dd2db5de2bb8de29bade28bddf26c0df25c2df23c5e021c8e020cae11fcde11dd0e11cd2e21bd5e21ad8e219dae319dde318dfe318e2e418e5e419e7e419e\
ae51aece51befe51cf1e51df4e61ef6e620f8e621fbe723fde725")),wye=$0(pe("00000401000501010601010802010902020b02020d03030f03031204041405041606051806051a07061c08071e09\
07200a08220b09240c09260d0a290e0b2b100b2d110c2f120d31130d34140e36150e38160f3b180f3d19103f1a10421c10441d11471e114920114b21114e22115024125325125527125829115a2a115c\
2c115f2d11612f116331116533106734106936106b38106c390f6e3b0f703d0f713f0f72400f74420f75440f764510774710784910784a10794c117a4e117b4f127b51127c52137c54137d56147d5715\
7e59157e5a167e5c167f5d177f5f187f601880621980641a80651a80671b80681c816a1c816b1d816d1d816e1e81701f81721f817320817521817621817822817922827b23827c23827e248280258281\
25818326818426818627818827818928818b29818c29818e2a81902a81912b81932b80942c80962c80982d80992d809b2e7f9c2e7f9e2f7fa02f7fa1307ea3307ea5317ea6317da8327daa337dab337c\
ad347cae347bb0357bb2357bb3367ab5367ab73779b83779ba3878bc3978bd3977bf3a77c03a76c23b75c43c75c53c74c73d73c83e73ca3e72cc3f71cd4071cf4070d0416fd2426fd3436ed5446dd645\
6cd8456cd9466bdb476adc4869de4968df4a68e04c67e24d66e34e65e44f64e55064e75263e85362e95462ea5661eb5760ec5860ed5a5fee5b5eef5d5ef05f5ef1605df2625df2645cf3655cf4675cf4\
695cf56b5cf66c5cf66e5cf7705cf7725cf8745cf8765cf9785df9795df97b5dfa7d5efa7f5efa815ffb835ffb8560fb8761fc8961fc8a62fc8c63fc8e64fc9065fd9266fd9467fd9668fd9869fd9a6a\
fd9b6bfe9d6cfe9f6dfea16efea36ffea571fea772fea973feaa74feac76feae77feb078feb27afeb47bfeb67cfeb77efeb97ffebb81febd82febf84fec185fec287fec488fec68afec88cfeca8dfecc\
8ffecd90fecf92fed194fed395fed597fed799fed89afdda9cfddc9efddea0fde0a1fde2a3fde3a5fde5a7fde7a9fde9aafdebacfcecaefceeb0fcf0b2fcf2b4fcf4b6fcf6b8fcf7b9fcf9bbfcfbbdfc\
fdbf")),Aye=$0(pe("00000401000501010601010802010a02020c02020e03021004031204031405041706041907051b08051d09061f0a07220b07240c08260d08290e092b10092d110a30120a32140\
b34150b37160b39180c3c190c3e1b0c411c0c431e0c451f0c48210c4a230c4c240c4f260c51280b53290b552b0b572d0b592f0a5b310a5c320a5e340a5f3609613809623909633b09643d09653e09664\
00a67420a68440a68450a69470b6a490b6a4a0c6b4c0c6b4d0d6c4f0d6c510e6c520e6d540f6d550f6d57106e59106e5a116e5c126e5d126e5f136e61136e62146e64156e65156e67166e69166e6a176\
e6c186e6d186e6f196e71196e721a6e741a6e751b6e771c6d781c6d7a1d6d7c1d6d7d1e6d7f1e6c801f6c82206c84206b85216b87216b88226a8a226a8c23698d23698f2469902568922568932667952\
6679727669827669a28659b29649d29649f2a63a02a63a22b62a32c61a52c60a62d60a82e5fa92e5eab2f5ead305dae305cb0315bb1325ab3325ab43359b63458b73557b93556ba3655bc3754bd3853b\
f3952c03a51c13a50c33b4fc43c4ec63d4dc73e4cc83f4bca404acb4149cc4248ce4347cf4446d04545d24644d34743d44842d54a41d74b3fd84c3ed94d3dda4e3cdb503bdd513ade5238df5337e0553\
6e15635e25734e35933e45a31e55c30e65d2fe75e2ee8602de9612bea632aeb6429eb6628ec6726ed6925ee6a24ef6c23ef6e21f06f20f1711ff1731df2741cf3761bf37819f47918f57b17f57d15f67\
e14f68013f78212f78410f8850ff8870ef8890cf98b0bf98c0af98e09fa9008fa9207fa9407fb9606fb9706fb9906fb9b06fb9d07fc9f07fca108fca309fca50afca60cfca80dfcaa0ffcac11fcae12f\
cb014fcb216fcb418fbb61afbb81dfbba1ffbbc21fbbe23fac026fac228fac42afac62df9c72ff9c932f9cb35f8cd37f8cf3af7d13df7d340f6d543f6d746f5d949f5db4cf4dd4ff4df53f4e156f3e35\
af3e55df2e661f2e865f2ea69f1ec6df1ed71f1ef75f1f179f2f27df2f482f3f586f3f68af4f88ef5f992f6fa96f8fb9af9fc9dfafda1fcffa4")),Eye=$0(pe("0d088710078813078916078a19068c\
1b068d1d068e20068f2206902406912605912805922a05932c05942e05952f059631059733059735049837049938049a3a049a3c049b3e049c3f049c41049d43039e44039e46039f48039f4903a04b03\
a14c02a14e02a25002a25102a35302a35502a45601a45801a45901a55b01a55c01a65e01a66001a66100a76300a76400a76600a76700a86900a86a00a86c00a86e00a86f00a87100a87201a87401a875\
01a87701a87801a87a02a87b02a87d03a87e03a88004a88104a78305a78405a78606a68707a68808a68a09a58b0aa58d0ba58e0ca48f0da4910ea3920fa39410a29511a19613a19814a099159f9a169f\
9c179e9d189d9e199da01a9ca11b9ba21d9aa31e9aa51f99a62098a72197a82296aa2395ab2494ac2694ad2793ae2892b02991b12a90b22b8fb32c8eb42e8db52f8cb6308bb7318ab83289ba3388bb34\
88bc3587bd3786be3885bf3984c03a83c13b82c23c81c33d80c43e7fc5407ec6417dc7427cc8437bc9447aca457acb4679cc4778cc4977cd4a76ce4b75cf4c74d04d73d14e72d24f71d35171d45270d5\
536fd5546ed6556dd7566cd8576bd9586ada5a6ada5b69db5c68dc5d67dd5e66de5f65de6164df6263e06363e16462e26561e26660e3685fe4695ee56a5de56b5de66c5ce76e5be76f5ae87059e97158\
e97257ea7457eb7556eb7655ec7754ed7953ed7a52ee7b51ef7c51ef7e50f07f4ff0804ef1814df1834cf2844bf3854bf3874af48849f48948f58b47f58c46f68d45f68f44f79044f79143f79342f894\
41f89540f9973ff9983ef99a3efa9b3dfa9c3cfa9e3bfb9f3afba139fba238fca338fca537fca636fca835fca934fdab33fdac33fdae32fdaf31fdb130fdb22ffdb42ffdb52efeb72dfeb82cfeba2cfe\
bb2bfebd2afebe2afec029fdc229fdc328fdc527fdc627fdc827fdca26fdcb26fccd25fcce25fcd025fcd225fbd324fbd524fbd724fad824fada24f9dc24f9dd25f8df25f8e125f7e225f7e425f6e626\
f6e826f5e926f5eb27f4ed27f3ee27f3f027f2f227f1f426f1f525f0f724f0f921"));function Jc(e,t,n){let r=e-t+n*2;return e?r>0?r:1:0}var oq="identity",As="linear",_i="log",nl="pow",rl="sqrt",ef="symlog",ho="time",po="utc",zr="sequential",Es="\
diverging",ws="quantile",tf="quantize",nf="threshold",rf="ordinal",R0="point",_x="band",O0="bin-ordinal",Ft="continuous",af="discrete",of="discretizing",wr="int\
erpolating",kx="temporal";function sq(e){return function(t){let n=t[0],r=t[1],i;return r<n&&(i=n,n=r,r=i),[e.invert(n),e.invert(r)]}}function uq(e){return function(t){
let n=e.range(),r=t[0],i=t[1],a=-1,o,s,u,l;for(i<r&&(s=r,r=i,i=s),u=0,l=n.length;u<l;++u)n[u]>=r&&n[u]<=i&&(a<0&&(a=u),o=u);if(!(a<0))return r=e.invertExtent(n[a]),
i=e.invertExtent(n[o]),[r[0]===void 0?r[1]:r[0],i[1]===void 0?i[0]:i[1]]}}function Fx(){let e=Qc().unknown(void 0),t=e.domain,n=e.range,r=[0,1],i,a,o=!1,s=0,u=0,
l=.5;delete e.unknown;function c(){let f=t().length,d=r[1]<r[0],h=r[1-d],p=Jc(f,s,u),g=r[d-0];i=(h-g)/(p||1),o&&(i=Math.floor(i)),g+=(h-g-i*(f-s))*l,a=i*(1-s),o&&
(g=Math.round(g),a=Math.round(a));let m=St(f).map(y=>g+i*y);return n(d?m.reverse():m)}return e.domain=function(f){return arguments.length?(t(f),c()):t()},e.range=
function(f){return arguments.length?(r=[+f[0],+f[1]],c()):r.slice()},e.rangeRound=function(f){return r=[+f[0],+f[1]],o=!0,c()},e.bandwidth=function(){return a},
e.step=function(){return i},e.round=function(f){return arguments.length?(o=!!f,c()):o},e.padding=function(f){return arguments.length?(u=Math.max(0,Math.min(1,f)),
s=u,c()):s},e.paddingInner=function(f){return arguments.length?(s=Math.max(0,Math.min(1,f)),c()):s},e.paddingOuter=function(f){return arguments.length?(u=Math.max(
0,Math.min(1,f)),c()):u},e.align=function(f){return arguments.length?(l=Math.max(0,Math.min(1,f)),c()):l},e.invertRange=function(f){if(f[0]==null||f[1]==null)return;
let d=r[1]<r[0],h=d?n().reverse():n(),p=h.length-1,g=+f[0],m=+f[1],y,b,x;if(!(g!==g||m!==m)&&(m<g&&(x=g,g=m,m=x),!(m<h[0]||g>r[1-d])))return y=Math.max(0,yi(h,g)-
1),b=g===m?y:yi(h,m)-1,g-h[y]>a+1e-10&&++y,d&&(x=y,y=p-b,b=p-x),y>b?void 0:t().slice(y,b+1)},e.invert=function(f){let d=e.invertRange([f,f]);return d&&d[0]},e.copy=
function(){return Fx().domain(t()).range(r).round(o).paddingInner(s).paddingOuter(u).align(l)},c()}function $8(e){let t=e.copy;return e.padding=e.paddingOuter,delete e.
paddingInner,e.copy=function(){return $8(t())},e}function lq(){return $8(Fx().paddingInner(1))}var cq=Array.prototype.map;function fq(e){return cq.call(e,at)}var dq=Array.
prototype.slice;function T8(){let e=[],t=[];function n(r){return r==null||r!==r?void 0:t[(yi(e,r)-1)%t.length]}return n.domain=function(r){return arguments.length?
(e=fq(r),n):e.slice()},n.range=function(r){return arguments.length?(t=dq.call(r),n):t.slice()},n.tickFormat=function(r,i){return ux(e[0],fe(e),r??10,i)},n.copy=
function(){return T8().domain(n.domain()).range(n.range())},n}var T0=new Map,R8=Symbol("vega_scale");function Mx(e){return e[R8]=!0,e}function Dx(e){return e&&e[R8]===
!0}function hq(e,t,n){let r=function(){let a=t();return a.invertRange||(a.invertRange=a.invert?sq(a):a.invertExtent?uq(a):void 0),a.type=e,Mx(a)};return r.metadata=
mt(H(n)),r}function Ce(e,t,n){return arguments.length>1?(T0.set(e,hq(e,t,n)),this):$x(e)?T0.get(e):void 0}Ce(oq,cx);Ce(As,lx,Ft);Ce(_i,dx,[Ft,_i]);Ce(nl,C0,Ft);
Ce(rl,h8,Ft);Ce(ef,px,Ft);Ce(ho,p8,[Ft,kx]);Ce(po,g8,[Ft,kx]);Ce(zr,k0,[Ft,wr]);Ce(`${zr}-${As}`,k0,[Ft,wr]);Ce(`${zr}-${_i}`,vx,[Ft,wr,_i]);Ce(`${zr}-${nl}`,F0,
[Ft,wr]);Ce(`${zr}-${rl}`,m8,[Ft,wr]);Ce(`${zr}-${ef}`,wx,[Ft,wr]);Ce(`${Es}-${As}`,Ax,[Ft,wr]);Ce(`${Es}-${_i}`,Ex,[Ft,wr,_i]);Ce(`${Es}-${nl}`,D0,[Ft,wr]);Ce(
`${Es}-${rl}`,y8,[Ft,wr]);Ce(`${Es}-${ef}`,Sx,[Ft,wr]);Ce(ws,mx,[of,ws]);Ce(tf,yx,of);Ce(nf,bx,of);Ce(O0,T8,[af,of]);Ce(rf,Qc,af);Ce(_x,Fx,af);Ce(R0,lq,af);function $x(e){
return T0.has(e)}function Ss(e,t){let n=T0.get(e);return n&&n.metadata[t]}function sf(e){return Ss(e,Ft)}function go(e){return Ss(e,af)}function N0(e){return Ss(
e,of)}function B0(e){return Ss(e,_i)}function O8(e){return Ss(e,kx)}function Tx(e){return Ss(e,wr)}function Rx(e){return Ss(e,ws)}var pq=["clamp","base","consta\
nt","exponent"];function Ox(e,t){let n=t[0],r=fe(t)-n;return function(i){return e(n+i*r)}}function uf(e,t,n){return Xc(I0(t||"rgb",n),e)}function Nx(e,t){let n=new Array(
t),r=t+1;for(let i=0;i<t;)n[i]=e(++i/r);return n}function P0(e,t,n){let r=n-t,i,a,o;return!r||!Number.isFinite(r)?Ke(.5):(i=(a=e.type).indexOf("-"),a=i<0?a:a.slice(i+1),o=Ce(a)().domain([t,n]).range([0,1]),pq.
forEach(s=>e[s]?o[s](e[s]()):0),o)}function I0(e,t){let n=ax[gq(e)];return t!=null&&n&&n.gamma?n.gamma(t):n}function gq(e){return"interpolate"+e.toLowerCase().split(
"-").map(t=>t[0].toUpperCase()+t.slice(1)).join("")}var mq={blues:"cfe1f2bed8eca8cee58fc1de74b2d75ba3cf4592c63181bd206fb2125ca40a4a90",greens:"d3eecdc0e6baabdda\
594d3917bc77d60ba6c46ab5e329a512089430e7735036429",greys:"e2e2e2d4d4d4c4c4c4b1b1b19d9d9d8888887575756262624d4d4d3535351e1e1e",oranges:"fdd8b3fdc998fdb87bfda55ef\
c9244f87f2cf06b18e4580bd14904b93d029f3303",purples:"e2e1efd4d4e8c4c5e0b4b3d6a3a0cc928ec3827cb97566ae684ea25c3696501f8c",reds:"fdc9b4fcb49afc9e80fc8767fa7051f657\
3fec3f2fdc2a25c81b1db21218970b13",blueGreen:"d5efedc1e8e0a7ddd18bd2be70c6a958ba9144ad77319c5d2089460e7736036429",bluePurple:"ccddecbad0e4a8c2dd9ab0d4919cc98d85b\
e8b6db28a55a6873c99822287730f71",greenBlue:"d3eecec5e8c3b1e1bb9bd8bb82cec269c2ca51b2cd3c9fc7288abd1675b10b60a1",orangeRed:"fddcaffdcf9bfdc18afdad77fb9562f67d53e\
e6545e24932d32d1ebf130da70403",purpleBlue:"dbdaebc8cee4b1c3de97b7d87bacd15b9fc93a90c01e7fb70b70ab056199045281",purpleBlueGreen:"dbd8eac8cee4b0c3de93b7d872acd154\
9fc83892bb1c88a3097f8702736b016353",purpleRed:"dcc9e2d3b3d7ce9eccd186c0da6bb2e14da0e23189d91e6fc61159ab07498f023a",redPurple:"fccfccfcbec0faa9b8f98faff571a5ec53\
9ddb3695c41b8aa908808d0179700174",yellowGreen:"e4f4acd1eca0b9e2949ed68880c97c62bb6e47aa5e3297502083440e723b036034",yellowOrangeBrown:"feeaa1fedd84fecc63feb746fc\
a031f68921eb7215db5e0bc54c05ab3d038f3204",yellowOrangeRed:"fee087fed16ffebd59fea849fd903efc7335f9522bee3423de1b20ca0b22af0225",blueOrange:"134b852f78b35da2cb9dc\
ae1d2e5eff2f0ebfce0bafbbf74e8932fc5690d994a07",brownBlueGreen:"704108a0651ac79548e3c78af3e6c6eef1eac9e9e48ed1c74da79e187a72025147",purpleGreen:"5b1667834792a67f\
b6c9aed3e6d6e8eff0efd9efd5aedda971bb75368e490e5e29",purpleOrange:"4114696647968f83b7b9b4d6dadbebf3eeeafce0bafbbf74e8932fc5690d994a07",redBlue:"8c0d25bf363adf745\
ef4ae91fbdbc9f2efeed2e5ef9dcae15da2cb2f78b3134b85",redGrey:"8c0d25bf363adf745ef4ae91fcdccbfaf4f1e2e2e2c0c0c0969696646464343434",yellowGreenBlue:"eff9bddbf1b4bde\
5b594d5b969c5be45b4c22c9ec02182b82163aa23479c1c3185",redYellowBlue:"a50026d4322cf16e43fcac64fedd90faf8c1dcf1ecabd6e875abd04a74b4313695",redYellowGreen:"a50026d4\
322cf16e43fcac63fedd8df9f7aed7ee8ea4d86e64bc6122964f006837",pinkYellowGreen:"8e0152c0267edd72adf0b3d6faddedf5f3efe1f2cab6de8780bb474f9125276419",spectral:"9e014\
2d13c4bf0704afcac63fedd8dfbf8b0e0f3a1a9dda269bda94288b55e4fa2",viridis:"440154470e61481a6c482575472f7d443a834144873d4e8a39568c35608d31688e2d708e2a788e27818e2388\
8e21918d1f988b1fa08822a8842ab07f35b77943bf7154c56866cc5d7ad1518fd744a5db36bcdf27d2e21be9e51afde725",magma:"0000040404130b0924150e3720114b2c11603b0f704a107957157\
e651a80721f817f24828c29819a2e80a8327db6377ac43c75d1426fde4968e95462f1605df76f5cfa7f5efc8f65fe9f6dfeaf78febf84fece91fddea0fcedaffcfdbf",inferno:"0000040403130c08\
26170c3b240c4f330a5f420a68500d6c5d126e6b176e781c6d86216b932667a12b62ae305cbb3755c73e4cd24644dd513ae65c30ed6925f3771af8850ffb9506fca50afcb519fac62df6d645f2e661f3\
f484fcffa4",plasma:"0d088723069033059742039d5002a25d01a66a00a87801a88405a7900da49c179ea72198b12a90ba3488c33d80cb4779d35171da5a69e16462e76e5bed7953f2834cf68f44fa\
9a3dfca636fdb32ffec029fcce25f9dc24f5ea27f0f921",cividis:"00205100235800265d002961012b65042e670831690d346b11366c16396d1c3c6e213f6e26426e2c456e31476e374a6e3c4d6e4\
2506e47536d4c566d51586e555b6e5a5e6e5e616e62646f66676f6a6a706e6d717270717573727976737c79747f7c75827f758682768985778c8877908b78938e789691789a94789e9778a19b78a59e7\
7a9a177aea575b2a874b6ab73bbaf71c0b26fc5b66dc9b96acebd68d3c065d8c462ddc85fe2cb5ce7cf58ebd355f0d652f3da4ff7de4cfae249fce647",rainbow:"6e40aa883eb1a43db3bf3cafd83f\
a4ee4395fe4b83ff576eff6659ff7847ff8c38f3a130e2b72fcfcc36bee044aff05b8ff4576ff65b52f6673af27828ea8d1ddfa319d0b81cbecb23abd82f96e03d82e14c6edb5a5dd0664dbf6e40aa",
sinebow:"ff4040fc582af47218e78d0bd5a703bfbf00a7d5038de70b72f41858fc2a40ff402afc5818f4720be78d03d5a700bfbf03a7d50b8de71872f42a58fc4040ff582afc7218f48d0be7a703d5b\
f00bfd503a7e70b8df41872fc2a58ff4040",turbo:"23171b32204a3e2a71453493493eae4b49c54a53d7485ee44569ee4074f53c7ff8378af93295f72e9ff42ba9ef28b3e926bce125c5d925cdcf27\
d5c629dcbc2de3b232e9a738ee9d3ff39347f68950f9805afc7765fd6e70fe667cfd5e88fc5795fb51a1f84badf545b9f140c5ec3cd0e637dae034e4d931ecd12ef4c92bfac029ffb626ffad24ffa223\
ff9821ff8d1fff821dff771cfd6c1af76118f05616e84b14df4111d5380fcb2f0dc0260ab61f07ac1805a313029b0f00950c00910b00",browns:"eedbbdecca96e9b97ae4a865dc9856d18954c7784c\
c0673fb85536ad44339f3632",tealBlues:"bce4d89dd3d181c3cb65b3c245a2b9368fae347da0306a932c5985",teals:"bbdfdfa2d4d58ac9c975bcbb61b0af4da5a43799982b8b8c1e7f7f127273\
006667",warmGreys:"dcd4d0cec5c1c0b8b4b3aaa7a59c9998908c8b827f7e7673726866665c5a59504e",goldGreen:"f4d166d5ca60b6c35c98bb597cb25760a6564b9c533f8f4f33834a25774014\
6c36",goldOrange:"f4d166f8be5cf8aa4cf5983bf3852aef701be2621fd65322c54923b142239e3a26",goldRed:"f4d166f6be59f9aa51fc964ef6834bee734ae56249db5247cf4244c43141b71d3\
e",lightGreyRed:"efe9e6e1dad7d5cbc8c8bdb9bbaea9cd967ddc7b43e15f19df4011dc000b",lightGreyTeal:"e4eaead6dcddc8ced2b7c2c7a6b4bc64b0bf22a6c32295c11f85be1876bc",lightMulti:"\
e0f1f2c4e9d0b0de9fd0e181f6e072f6c053f3993ef77440ef4a3c",lightOrange:"f2e7daf7d5baf9c499fab184fa9c73f68967ef7860e8645bde515bd43d5b",lightTealBlue:"e3e9e0c0dccf9a\
ceca7abfc859afc0389fb9328dad2f7ca0276b95255988",darkBlue:"3232322d46681a5c930074af008cbf05a7ce25c0dd38daed50f3faffffff",darkGold:"3c3c3c584b37725e348c7631ae8b2b\
cfa424ecc31ef9de30fff184ffffff",darkGreen:"3a3a3a215748006f4d048942489e4276b340a6c63dd2d836ffeb2cffffaa",darkMulti:"3737371f5287197d8c29a86995ce3fffe800ffffff",
darkRed:"3434347036339e3c38cc4037e75d1eec8620eeab29f0ce32ffeb2c"},yq={accent:x8,category10:b8,category20:"1f77b4aec7e8ff7f0effbb782ca02c98df8ad62728ff98969467bd\
c5b0d58c564bc49c94e377c2f7b6d27f7f7fc7c7c7bcbd22dbdb8d17becf9edae5",category20b:"393b795254a36b6ecf9c9ede6379398ca252b5cf6bcedb9c8c6d31bd9e39e7ba52e7cb94843c39a\
d494ad6616be7969c7b4173a55194ce6dbdde9ed6",category20c:"3182bd6baed69ecae1c6dbefe6550dfd8d3cfdae6bfdd0a231a35474c476a1d99bc7e9c0756bb19e9ac8bcbddcdadaeb63636396\
9696bdbdbdd9d9d9",dark2:v8,observable10:w8,paired:A8,pastel1:E8,pastel2:S8,set1:C8,set2:_8,set3:k8,tableau10:"4c78a8f58518e4575672b7b254a24beeca3bb279a2ff9da69d\
755dbab0ac",tableau20:"4c78a89ecae9f58518ffbf7954a24b88d27ab79a20f2cf5b43989483bcb6e45756ff9d9879706ebab0acd67195fcbfd2b279a2d6a5c99e765fd8b5a5"};function N8(e){
if(R(e))return e;let t=e.length/6|0,n=new Array(t);for(let r=0;r<t;)n[r]="#"+e.slice(r*6,++r*6);return n}function B8(e,t){for(let n in e)z0(n,t(e[n]))}var F8={};
B8(yq,N8);B8(mq,e=>uf(N8(e)));function z0(e,t){return e=e&&e.toLowerCase(),arguments.length>1?(F8[e]=t,this):F8[e]}var lf="symbol",bq="discrete",P8="gradient",xq=e=>R(
e)?e.map(t=>String(t)):String(e),vq=(e,t)=>e[1]-t[1],wq=(e,t)=>t[1]-e[1];function L0(e,t,n){let r;if(we(t)&&(e.bins&&(t=Math.max(t,e.bins.length)),n!=null)){let i=e.
domain(),a=Math.min(i[0],fe(i)),o=Math.max(i[0],fe(i));if(t=Math.min(t,Math.floor((o-a)/n||1)+1),!e.bins&&!B0(e.type)&&!O8(e.type)&&a<o)for(;t>1&&sn(a,o,t)<n;)--t}
return V(t)&&(r=t.step,t=t.interval),X(t)&&(t=e.type===ho?Za(t):e.type==po?Ja(t):D("Only time and utc scales accept interval strings."),r&&(t=t.every(r))),t}function Bx(e,t,n){
let r=e.range(),i=r[0],a=fe(r),o=vq;if(i>a&&(r=a,a=i,i=r,o=wq),i=Math.floor(i),a=Math.ceil(a),t=t.map(s=>[s,e(s)]).filter(s=>i<=s[1]&&s[1]<=a).sort(o).map(s=>s[0]),
n>0&&t.length>1){let s=[t[0],fe(t)];for(;t.length>n&&t.length>=3;)t=t.filter((u,l)=>!(l%2));t.length<3&&(t=s)}return t}function U0(e,t){return e.bins?Bx(e,e.bins,
t):e.ticks?e.ticks(t):e.domain()}function Px(e,t,n,r,i,a){let o=t.type,s=xq;if(o===ho||i===ho)s=e.timeFormat(r);else if(o===po||i===po)s=e.utcFormat(r);else if(B0(
o)){let u=e.formatFloat(r);if(a||t.bins)s=u;else{let l=I8(t,n,!1);s=c=>l(c)?u(c):""}}else if(t.tickFormat){let u=t.domain();s=e.formatSpan(u[0],u[u.length-1],n,
r)}else r&&(s=e.format(r));return s}function I8(e,t,n){let r=U0(e,t),i=e.base(),a=Math.log(i),o=Math.max(1,i*t/r.length),s=u=>{let l=u/Math.pow(i,Math.round(Math.
log(u)/a));return l*i<i-.5&&(l*=i),l<=o};return n?r.filter(s):s}var Cx={[ws]:"quantiles",[tf]:"thresholds",[nf]:"domain"},z8={[ws]:"quantiles",[tf]:"domain"};function Ix(e,t){
return e.bins?Sq(e.bins):e.type===_i?I8(e,t,!0):Cx[e.type]?Eq(e[Cx[e.type]]()):U0(e,t)}function Aq(e,t,n){let r=t[z8[t.type]](),i=r.length,a=i>1?r[1]-r[0]:r[0],
o;for(o=1;o<i;++o)a=Math.min(a,r[o]-r[o-1]);return e.formatSpan(0,a,30,n)}function Eq(e){let t=[-1/0].concat(e);return t.max=1/0,t}function Sq(e){let t=e.slice(
0,-1);return t.max=fe(e),t}var Cq=e=>Cx[e.type]||e.bins;function zx(e,t,n,r,i,a,o){let s=z8[t.type]&&a!==ho&&a!==po?Aq(e,t,i):Px(e,t,n,i,a,o);return r===lf&&Cq(
t)?_q(s):r===bq?kq(s):Fq(s)}var _q=e=>(t,n,r)=>{let i=M8(r[n+1],M8(r.max,1/0)),a=D8(t,e),o=D8(i,e);return a&&o?a+" \u2013 "+o:o?"< "+o:"\u2265 "+a},M8=(e,t)=>e??
t,kq=e=>(t,n)=>n?e(t):null,Fq=e=>t=>e(t),D8=(e,t)=>Number.isFinite(e)?t(e):null;function L8(e){let t=e.domain(),n=t.length-1,r=+t[0],i=+fe(t),a=i-r;if(e.type===
nf){let o=n?a/n:.1;r-=o,i+=o,a=i-r}return o=>(o-r)/a}function Mq(e,t,n,r){let i=r||t.type;return X(n)&&O8(i)&&(n=n.replace(/%a/g,"%A").replace(/%b/g,"%B")),!n&&
i===ho?e.timeFormat("%A, %d %B %Y, %X"):!n&&i===po?e.utcFormat("%A, %d %B %Y, %X UTC"):zx(e,t,5,null,n,r,!0)}function Lx(e,t,n){n=n||{};let r=Math.max(3,n.maxlen||
7),i=Mq(e,t,n.format,n.formatType);if(N0(t.type)){let a=Ix(t).slice(1).map(i),o=a.length;return`${o} boundar${o===1?"y":"ies"}: ${a.join(", ")}`}else if(go(t.type)){
let a=t.domain(),o=a.length,s=o>r?a.slice(0,r-2).map(i).join(", ")+", ending with "+a.slice(-1).map(i):a.map(i).join(", ");return`${o} value${o===1?"":"s"}: ${s}`}else{
let a=t.domain();return`values from ${i(a[0])} to ${i(fe(a))}`}}var Dq=0;var Q0="p_";function s2(e){return e&&e.gradient}function dk(e,t,n){let r=e.gradient,i=e.id,a=r==="radial"?Q0:"";return i||(i=e.id="gradient_"+Dq++,r==="radial"?
(e.x1=ki(e.x1,.5),e.y1=ki(e.y1,.5),e.r1=ki(e.r1,0),e.x2=ki(e.x2,.5),e.y2=ki(e.y2,.5),e.r2=ki(e.r2,.5),a=Q0):(e.x1=ki(e.x1,0),e.y1=ki(e.y1,0),e.x2=ki(e.x2,1),e.y2=
ki(e.y2,0))),t[i]=e,"url("+(n||"")+"#"+a+i+")"}function ki(e,t){return e??t}function hk(e,t){var n=[],r;return r={gradient:"linear",x1:e?e[0]:0,y1:e?e[1]:0,x2:t?
t[0]:1,y2:t?t[1]:0,stops:n,stop:function(i,a){return n.push({offset:i,color:a}),r}}}var U8={basis:{curve:G_},"basis-closed":{curve:Y_},"basis-open":{curve:X_},bundle:{
curve:Q_,tension:"beta",value:.85},cardinal:{curve:Z_,tension:"tension",value:0},"cardinal-open":{curve:e6,tension:"tension",value:0},"cardinal-closed":{curve:J_,
tension:"tension",value:0},"catmull-rom":{curve:n6,tension:"alpha",value:.5},"catmull-rom-closed":{curve:i6,tension:"alpha",value:.5},"catmull-rom-open":{curve:o6,
tension:"alpha",value:.5},linear:{curve:Wc},"linear-closed":{curve:u6},monotone:{horizontal:d6,vertical:f6},natural:{curve:p6},step:{curve:g6},"step-after":{curve:y6},
"step-before":{curve:m6}};function pk(e,t,n){var r=Y(U8,e)&&U8[e],i=null;return r&&(i=r.curve||r[t||"vertical"],r.tension&&n!=null&&(i=i[r.tension](n))),i}var $q={
m:2,l:2,h:1,v:1,z:0,c:6,s:4,q:4,t:2,a:7},Tq=/[mlhvzcsqta]([^mlhvzcsqta]*)/gi,Rq=/^[+-]?(([0-9]*\.[0-9]+)|([0-9]+\.)|([0-9]+))([eE][+-]?[0-9]+)?/,Oq=/^((\s+,?\s*)|(,\s*))/,
Nq=/^[01]/;function dp(e){let t=[];return(e.match(Tq)||[]).forEach(r=>{let i=r[0],a=i.toLowerCase(),o=$q[a],s=Bq(a,o,r.slice(1).trim()),u=s.length;if(u<o||u&&u%
o!==0)throw Error("Invalid SVG path, incorrect parameter count");if(t.push([i,...s.slice(0,o)]),u!==o){a==="m"&&(i=i==="M"?"L":"l");for(let l=o;l<u;l+=o)t.push(
[i,...s.slice(l,l+o)])}}),t}function Bq(e,t,n){let r=[];for(let i=0;t&&i<n.length;)for(let a=0;a<t;++a){let o=e==="a"&&(a===3||a===4)?Nq:Rq,s=n.slice(i).match(o);
if(s===null)throw Error("Invalid SVG path, incorrect parameter type");i+=s[0].length,r.push(+s[0]);let u=n.slice(i).match(Oq);u!==null&&(i+=u[0].length)}return r}
var wo=Math.PI/180,Pq=1e-14,Cs=Math.PI/2,Fi=Math.PI*2,il=Math.sqrt(3)/2,Ux={},qx={},gk=[].join;function Iq(e,t,n,r,i,a,o,s,u){let l=gk.call(arguments);if(Ux[l])
return Ux[l];let c=o*wo,f=Math.sin(c),d=Math.cos(c);n=Math.abs(n),r=Math.abs(r);let h=d*(s-e)*.5+f*(u-t)*.5,p=d*(u-t)*.5-f*(s-e)*.5,g=h*h/(n*n)+p*p/(r*r);g>1&&(g=
Math.sqrt(g),n*=g,r*=g);let m=d/n,y=f/n,b=-f/r,x=d/r,v=m*s+y*u,w=b*s+x*u,E=m*e+y*t,A=b*e+x*t,C=1/((E-v)*(E-v)+(A-w)*(A-w))-.25;C<0&&(C=0);let _=Math.sqrt(C);a==
i&&(_=-_);let k=.5*(v+E)-_*(A-w),M=.5*(w+A)+_*(E-v),$=Math.atan2(w-M,v-k),F=Math.atan2(A-M,E-k)-$;F<0&&a===1?F+=Fi:F>0&&a===0&&(F-=Fi);let P=Math.ceil(Math.abs(
F/(Cs+.001))),Q=[];for(let J=0;J<P;++J){let ie=$+J*F/P,me=$+(J+1)*F/P;Q[J]=[k,M,ie,me,n,r,f,d]}return Ux[l]=Q}function zq(e){let t=gk.call(e);if(qx[t])return qx[t];
var n=e[0],r=e[1],i=e[2],a=e[3],o=e[4],s=e[5],u=e[6],l=e[7];let c=l*o,f=-u*s,d=u*o,h=l*s,p=Math.cos(i),g=Math.sin(i),m=Math.cos(a),y=Math.sin(a),b=.5*(a-i),x=Math.
sin(b*.5),v=8/3*x*x/Math.sin(b),w=n+p-v*g,E=r+g+v*p,A=n+m,S=r+y,C=A+v*y,_=S-v*m;return qx[t]=[c*w+f*E,d*w+h*E,c*C+f*_,d*C+h*_,c*A+f*S,d*A+h*S]}var Ar=["l",0,0,0,
0,0,0,0];function Lq(e,t,n){let r=Ar[0]=e[0];if(r==="a"||r==="A")Ar[1]=t*e[1],Ar[2]=n*e[2],Ar[3]=e[3],Ar[4]=e[4],Ar[5]=e[5],Ar[6]=t*e[6],Ar[7]=n*e[7];else if(r===
"h"||r==="H")Ar[1]=t*e[1];else if(r==="v"||r==="V")Ar[1]=n*e[1];else for(var i=1,a=e.length;i<a;++i)Ar[i]=(i%2==1?t:n)*e[i];return Ar}function yf(e,t,n,r,i,a){var o,
s=null,u=0,l=0,c=0,f=0,d,h,p,g,m=0,y=0;n==null&&(n=0),r==null&&(r=0),i==null&&(i=1),a==null&&(a=i),e.beginPath&&e.beginPath();for(var b=0,x=t.length;b<x;++b){switch(o=
t[b],(i!==1||a!==1)&&(o=Lq(o,i,a)),o[0]){case"l":u+=o[1],l+=o[2],e.lineTo(u+n,l+r);break;case"L":u=o[1],l=o[2],e.lineTo(u+n,l+r);break;case"h":u+=o[1],e.lineTo(
u+n,l+r);break;case"H":u=o[1],e.lineTo(u+n,l+r);break;case"v":l+=o[1],e.lineTo(u+n,l+r);break;case"V":l=o[1],e.lineTo(u+n,l+r);break;case"m":u+=o[1],l+=o[2],m=u,
y=l,e.moveTo(u+n,l+r);break;case"M":u=o[1],l=o[2],m=u,y=l,e.moveTo(u+n,l+r);break;case"c":d=u+o[5],h=l+o[6],c=u+o[3],f=l+o[4],e.bezierCurveTo(u+o[1]+n,l+o[2]+r,
c+n,f+r,d+n,h+r),u=d,l=h;break;case"C":u=o[5],l=o[6],c=o[3],f=o[4],e.bezierCurveTo(o[1]+n,o[2]+r,c+n,f+r,u+n,l+r);break;case"s":d=u+o[3],h=l+o[4],c=2*u-c,f=2*l-
f,e.bezierCurveTo(c+n,f+r,u+o[1]+n,l+o[2]+r,d+n,h+r),c=u+o[1],f=l+o[2],u=d,l=h;break;case"S":d=o[3],h=o[4],c=2*u-c,f=2*l-f,e.bezierCurveTo(c+n,f+r,o[1]+n,o[2]+r,
d+n,h+r),u=d,l=h,c=o[1],f=o[2];break;case"q":d=u+o[3],h=l+o[4],c=u+o[1],f=l+o[2],e.quadraticCurveTo(c+n,f+r,d+n,h+r),u=d,l=h;break;case"Q":d=o[3],h=o[4],e.quadraticCurveTo(
o[1]+n,o[2]+r,d+n,h+r),u=d,l=h,c=o[1],f=o[2];break;case"t":d=u+o[1],h=l+o[2],s[0].match(/[QqTt]/)===null?(c=u,f=l):s[0]==="t"?(c=2*u-p,f=2*l-g):s[0]==="q"&&(c=2*
u-c,f=2*l-f),p=c,g=f,e.quadraticCurveTo(c+n,f+r,d+n,h+r),u=d,l=h,c=u+o[1],f=l+o[2];break;case"T":d=o[1],h=o[2],c=2*u-c,f=2*l-f,e.quadraticCurveTo(c+n,f+r,d+n,h+
r),u=d,l=h;break;case"a":q8(e,u+n,l+r,[o[1],o[2],o[3],o[4],o[5],o[6]+u+n,o[7]+l+r]),u+=o[6],l+=o[7];break;case"A":q8(e,u+n,l+r,[o[1],o[2],o[3],o[4],o[5],o[6]+n,
o[7]+r]),u=o[6],l=o[7];break;case"z":case"Z":u=m,l=y,e.closePath();break}s=o}}function q8(e,t,n,r){let i=Iq(r[5],r[6],r[0],r[1],r[3],r[4],r[2],t,n);for(let a=0;a<
i.length;++a){let o=zq(i[a]);e.bezierCurveTo(o[0],o[1],o[2],o[3],o[4],o[5])}}var j8=.5773502691896257,W8={circle:{draw:function(e,t){let n=Math.sqrt(t)/2;e.moveTo(
n,0),e.arc(0,0,n,0,Fi)}},cross:{draw:function(e,t){var n=Math.sqrt(t)/2,r=n/2.5;e.moveTo(-n,-r),e.lineTo(-n,r),e.lineTo(-r,r),e.lineTo(-r,n),e.lineTo(r,n),e.lineTo(
r,r),e.lineTo(n,r),e.lineTo(n,-r),e.lineTo(r,-r),e.lineTo(r,-n),e.lineTo(-r,-n),e.lineTo(-r,-r),e.closePath()}},diamond:{draw:function(e,t){let n=Math.sqrt(t)/2;
e.moveTo(-n,0),e.lineTo(0,-n),e.lineTo(n,0),e.lineTo(0,n),e.closePath()}},square:{draw:function(e,t){var n=Math.sqrt(t),r=-n/2;e.rect(r,r,n,n)}},arrow:{draw:function(e,t){
var n=Math.sqrt(t)/2,r=n/7,i=n/2.5,a=n/8;e.moveTo(-r,n),e.lineTo(r,n),e.lineTo(r,-a),e.lineTo(i,-a),e.lineTo(0,-n),e.lineTo(-i,-a),e.lineTo(-r,-a),e.closePath()}},
wedge:{draw:function(e,t){var n=Math.sqrt(t)/2,r=il*n,i=r-n*j8,a=n/4;e.moveTo(0,-r-i),e.lineTo(-a,r-i),e.lineTo(a,r-i),e.closePath()}},triangle:{draw:function(e,t){
var n=Math.sqrt(t)/2,r=il*n,i=r-n*j8;e.moveTo(0,-r-i),e.lineTo(-n,r-i),e.lineTo(n,r-i),e.closePath()}},"triangle-up":{draw:function(e,t){var n=Math.sqrt(t)/2,r=il*
n;e.moveTo(0,-r),e.lineTo(-n,r),e.lineTo(n,r),e.closePath()}},"triangle-down":{draw:function(e,t){var n=Math.sqrt(t)/2,r=il*n;e.moveTo(0,r),e.lineTo(-n,-r),e.lineTo(
n,-r),e.closePath()}},"triangle-right":{draw:function(e,t){var n=Math.sqrt(t)/2,r=il*n;e.moveTo(r,0),e.lineTo(-r,-n),e.lineTo(-r,n),e.closePath()}},"triangle-le\
ft":{draw:function(e,t){var n=Math.sqrt(t)/2,r=il*n;e.moveTo(-r,0),e.lineTo(r,-n),e.lineTo(r,n),e.closePath()}},stroke:{draw:function(e,t){let n=Math.sqrt(t)/2;
e.moveTo(-n,0),e.lineTo(n,0)}}};function Uq(e){return Y(W8,e)?W8[e]:qq(e)}var jx={};function qq(e){if(!Y(jx,e)){let t=dp(e);jx[e]={draw:function(n,r){yf(n,t,0,0,
Math.sqrt(r)/2)}}}return jx[e]}var mo=.448084975506;function jq(e){return e.x}function Wq(e){return e.y}function Gq(e){return e.width}function Hq(e){return e.height}
function da(e){return typeof e=="function"?e:()=>+e}function q0(e,t,n){return Math.max(t,Math.min(e,n))}function Yq(){var e=jq,t=Wq,n=Gq,r=Hq,i=da(0),a=i,o=i,s=i,
u=null;function l(c,f,d){var h,p=f??+e.call(this,c),g=d??+t.call(this,c),m=+n.call(this,c),y=+r.call(this,c),b=Math.min(m,y)/2,x=q0(+i.call(this,c),0,b),v=q0(+a.
call(this,c),0,b),w=q0(+o.call(this,c),0,b),E=q0(+s.call(this,c),0,b);if(u||(u=h=o0()),x<=0&&v<=0&&w<=0&&E<=0)u.rect(p,g,m,y);else{var A=p+m,S=g+y;u.moveTo(p+x,
g),u.lineTo(A-v,g),u.bezierCurveTo(A-mo*v,g,A,g+mo*v,A,g+v),u.lineTo(A,S-E),u.bezierCurveTo(A,S-mo*E,A-mo*E,S,A-E,S),u.lineTo(p+w,S),u.bezierCurveTo(p+mo*w,S,p,
S-mo*w,p,S-w),u.lineTo(p,g+x),u.bezierCurveTo(p,g+mo*x,p+mo*x,g,p+x,g),u.closePath()}if(h)return u=null,h+""||null}return l.x=function(c){return arguments.length?
(e=da(c),l):e},l.y=function(c){return arguments.length?(t=da(c),l):t},l.width=function(c){return arguments.length?(n=da(c),l):n},l.height=function(c){return arguments.
length?(r=da(c),l):r},l.cornerRadius=function(c,f,d,h){return arguments.length?(i=da(c),a=f!=null?da(f):i,s=d!=null?da(d):i,o=h!=null?da(h):a,l):i},l.context=function(c){
return arguments.length?(u=c??null,l):u},l}function Vq(){var e,t,n,r,i=null,a,o,s,u;function l(f,d,h){let p=h/2;if(a){var g=s-d,m=f-o;if(g||m){var y=Math.hypot(
g,m),b=(g/=y)*u,x=(m/=y)*u,v=Math.atan2(m,g);i.moveTo(o-b,s-x),i.lineTo(f-g*p,d-m*p),i.arc(f,d,p,v-Math.PI,v),i.lineTo(o+b,s+x),i.arc(o,s,u,v,v+Math.PI)}else i.
arc(f,d,p,0,Fi);i.closePath()}else a=1;o=f,s=d,u=p}function c(f){var d,h=f.length,p,g=!1,m;for(i==null&&(i=m=o0()),d=0;d<=h;++d)!(d<h&&r(p=f[d],d,f))===g&&(g=!g)&&
(a=0),g&&l(+e(p,d,f),+t(p,d,f),+n(p,d,f));if(m)return i=null,m+""||null}return c.x=function(f){return arguments.length?(e=f,c):e},c.y=function(f){return arguments.
length?(t=f,c):t},c.size=function(f){return arguments.length?(n=f,c):n},c.defined=function(f){return arguments.length?(r=f,c):r},c.context=function(f){return arguments.
length?(f==null?i=null:i=f,c):i},c}function wf(e,t){return e??t}var Af=e=>e.x||0,Ef=e=>e.y||0,Xq=e=>e.width||0,Kq=e=>e.height||0,Qq=e=>(e.x||0)+(e.width||0),Zq=e=>(e.
y||0)+(e.height||0),Jq=e=>e.startAngle||0,ej=e=>e.endAngle||0,tj=e=>e.padAngle||0,nj=e=>e.innerRadius||0,rj=e=>e.outerRadius||0,ij=e=>e.cornerRadius||0,aj=e=>wf(
e.cornerRadiusTopLeft,e.cornerRadius)||0,oj=e=>wf(e.cornerRadiusTopRight,e.cornerRadius)||0,sj=e=>wf(e.cornerRadiusBottomRight,e.cornerRadius)||0,uj=e=>wf(e.cornerRadiusBottomLeft,
e.cornerRadius)||0,lj=e=>wf(e.size,64),cj=e=>e.size||1,hp=e=>e.defined!==!1,fj=e=>Uq(e.shape||"circle"),dj=P_().startAngle(Jq).endAngle(ej).padAngle(tj).innerRadius(
nj).outerRadius(rj).cornerRadius(ij),hj=Lb().x(Af).y1(Ef).y0(Zq).defined(hp),pj=Lb().y(Ef).x1(Af).x0(Qq).defined(hp),gj=zb().x(Af).y(Ef).defined(hp),mj=Yq().x(Af).
y(Ef).width(Xq).height(Kq).cornerRadius(aj,oj,sj,uj),yj=W_().type(fj).size(lj),bj=Vq().x(Af).y(Ef).defined(hp).size(cj);function u2(e){return e.cornerRadius||e.
cornerRadiusTopLeft||e.cornerRadiusTopRight||e.cornerRadiusBottomRight||e.cornerRadiusBottomLeft}function xj(e,t){return dj.context(e)(t)}function vj(e,t){let n=t[0],
r=n.interpolate||"linear";return(n.orient==="horizontal"?pj:hj).curve(pk(r,n.orient,n.tension)).context(e)(t)}function wj(e,t){let n=t[0],r=n.interpolate||"line\
ar";return gj.curve(pk(r,n.orient,n.tension)).context(e)(t)}function ul(e,t,n,r){return mj.context(e)(t,n,r)}function Aj(e,t){return(t.mark.shape||t.shape).context(
e)(t)}function Ej(e,t){return yj.context(e)(t)}function Sj(e,t){return bj.context(e)(t)}var Cj=1;function l2(e,t,n){var r=t.clip,i=e._defs,a=t.clip_id||(t.clip_id="clip"+Cj++),o=i.clipping[a]||(i.clipping[a]={id:a});return ae(r)?o.path=r(null):u2(n)?o.path=
ul(null,n,0,0):(o.width=n.width||0,o.height=n.height||0),"url(#"+a+")"}function bt(e){this.clear(),e&&this.union(e)}bt.prototype={clone(){return new bt(this)},clear(){
return this.x1=+Number.MAX_VALUE,this.y1=+Number.MAX_VALUE,this.x2=-Number.MAX_VALUE,this.y2=-Number.MAX_VALUE,this},empty(){return this.x1===+Number.MAX_VALUE&&
this.y1===+Number.MAX_VALUE&&this.x2===-Number.MAX_VALUE&&this.y2===-Number.MAX_VALUE},equals(e){return this.x1===e.x1&&this.y1===e.y1&&this.x2===e.x2&&this.y2===
e.y2},set(e,t,n,r){return n<e?(this.x2=e,this.x1=n):(this.x1=e,this.x2=n),r<t?(this.y2=t,this.y1=r):(this.y1=t,this.y2=r),this},add(e,t){return e<this.x1&&(this.
x1=e),t<this.y1&&(this.y1=t),e>this.x2&&(this.x2=e),t>this.y2&&(this.y2=t),this},expand(e){return this.x1-=e,this.y1-=e,this.x2+=e,this.y2+=e,this},round(){return this.
x1=Math.floor(this.x1),this.y1=Math.floor(this.y1),this.x2=Math.ceil(this.x2),this.y2=Math.ceil(this.y2),this},scale(e){return this.x1*=e,this.y1*=e,this.x2*=e,
this.y2*=e,this},translate(e,t){return this.x1+=e,this.x2+=e,this.y1+=t,this.y2+=t,this},rotate(e,t,n){let r=this.rotatedPoints(e,t,n);return this.clear().add(r[0],
r[1]).add(r[2],r[3]).add(r[4],r[5]).add(r[6],r[7])},rotatedPoints(e,t,n){var{x1:r,y1:i,x2:a,y2:o}=this,s=Math.cos(e),u=Math.sin(e),l=t-t*s+n*u,c=n-t*u-n*s;return[
s*r-u*i+l,u*r+s*i+c,s*r-u*o+l,u*r+s*o+c,s*a-u*i+l,u*a+s*i+c,s*a-u*o+l,u*a+s*o+c]},union(e){return e.x1<this.x1&&(this.x1=e.x1),e.y1<this.y1&&(this.y1=e.y1),e.x2>
this.x2&&(this.x2=e.x2),e.y2>this.y2&&(this.y2=e.y2),this},intersect(e){return e.x1>this.x1&&(this.x1=e.x1),e.y1>this.y1&&(this.y1=e.y1),e.x2<this.x2&&(this.x2=
e.x2),e.y2<this.y2&&(this.y2=e.y2),this},encloses(e){return e&&this.x1<=e.x1&&this.x2>=e.x2&&this.y1<=e.y1&&this.y2>=e.y2},alignsWith(e){return e&&(this.x1==e.x1||
this.x2==e.x2||this.y1==e.y1||this.y2==e.y2)},intersects(e){return e&&!(this.x2<e.x1||this.x1>e.x2||this.y2<e.y1||this.y1>e.y2)},contains(e,t){return!(e<this.x1||
e>this.x2||t<this.y1||t>this.y2)},width(){return this.x2-this.x1},height(){return this.y2-this.y1}};function pp(e){this.mark=e,this.bounds=this.bounds||new bt}function gp(e){
pp.call(this,e),this.items=this.items||[]}z(gp,pp);var Vx=class{constructor(t){this._pending=0,this._loader=t||$c()}pending(){return this._pending}sanitizeURL(t){
let n=this;return G8(n),n._loader.sanitize(t,{context:"href"}).then(r=>(cf(n),r)).catch(()=>(cf(n),null))}loadImage(t){let n=this,r=b6();return G8(n),n._loader.
sanitize(t,{context:"image"}).then(i=>{let a=i.href;if(!a||!r)throw{url:a};let o=new r,s=Y(i,"crossOrigin")?i.crossOrigin:"anonymous";return s!=null&&(o.crossOrigin=
s),o.onload=()=>cf(n),o.onerror=()=>cf(n),o.src=a,o}).catch(i=>(cf(n),{complete:!1,width:0,height:0,src:i&&i.url||""}))}ready(){let t=this;return new Promise(n=>{
function r(i){t.pending()?setTimeout(()=>{r(!0)},10):n(i)}r(!1)})}};function G8(e){e._pending+=1}function cf(e){e._pending-=1}function pa(e,t,n){if(t.stroke&&t.
opacity!==0&&t.strokeOpacity!==0){let r=t.strokeWidth!=null?+t.strokeWidth:1,i=(t.strokeCap==="square"?Math.SQRT2:1)*r/2;n&&(!t.strokeJoin||t.strokeJoin==="mite\
r")&&(i=Math.max(i,(t.strokeMiterLimit!=null?+t.strokeMiterLimit:4)*r/2)),e.expand(i)}return e}var _j=Fi-1e-8,mp,j0,W0,Fs,Xx,G0,Kx,Qx,bo=(e,t)=>mp.add(e,t),H0=(e,t)=>bo(
j0=e,W0=t),H8=e=>bo(e,mp.y1),Y8=e=>bo(mp.x1,e),_s=(e,t)=>Xx*e+Kx*t,ks=(e,t)=>G0*e+Qx*t,Wx=(e,t)=>bo(_s(e,t),ks(e,t)),Gx=(e,t)=>H0(_s(e,t),ks(e,t));function yp(e,t){
return mp=e,t?(Fs=t*wo,Xx=Qx=Math.cos(Fs),G0=Math.sin(Fs),Kx=-G0):(Xx=Qx=1,Fs=G0=Kx=0),kj}var kj={beginPath(){},closePath(){},moveTo:Gx,lineTo:Gx,rect(e,t,n,r){
Fs?(Wx(e+n,t),Wx(e+n,t+r),Wx(e,t+r),Gx(e,t)):(bo(e+n,t+r),H0(e,t))},quadraticCurveTo(e,t,n,r){let i=_s(e,t),a=ks(e,t),o=_s(n,r),s=ks(n,r);V8(j0,i,o,H8),V8(W0,a,
s,Y8),H0(o,s)},bezierCurveTo(e,t,n,r,i,a){let o=_s(e,t),s=ks(e,t),u=_s(n,r),l=ks(n,r),c=_s(i,a),f=ks(i,a);X8(j0,o,u,c,H8),X8(W0,s,l,f,Y8),H0(c,f)},arc(e,t,n,r,i,a){
if(r+=Fs,i+=Fs,j0=n*Math.cos(i)+e,W0=n*Math.sin(i)+t,Math.abs(i-r)>_j)bo(e-n,t-n),bo(e+n,t+n);else{let o=l=>bo(n*Math.cos(l)+e,n*Math.sin(l)+t),s,u;if(o(r),o(i),
i!==r)if(r=r%Fi,r<0&&(r+=Fi),i=i%Fi,i<0&&(i+=Fi),i<r&&(a=!a,s=r,r=i,i=s),a)for(i-=Fi,s=r-r%Cs,u=0;u<4&&s>i;++u,s-=Cs)o(s);else for(s=r-r%Cs+Cs,u=0;u<4&&s<i;++u,
s=s+Cs)o(s)}}};function V8(e,t,n,r){let i=(e-t)/(e+n-2*t);0<i&&i<1&&r(e+(t-e)*i)}function X8(e,t,n,r,i){let a=r-e+3*t-3*n,o=e+n-2*t,s=e-t,u=0,l=0,c;Math.abs(a)>
Pq?(c=o*o+s*a,c>=0&&(c=Math.sqrt(c),u=(-o+c)/a,l=(-o-c)/a)):u=.5*s/o,0<u&&u<1&&i(K8(u,e,t,n,r)),0<l&&l<1&&i(K8(l,e,t,n,r))}function K8(e,t,n,r,i){let a=1-e,o=a*
a,s=e*e;return o*a*t+3*o*e*n+3*a*s*r+s*e*i}var vo=(vo=br(1,1))?vo.getContext("2d"):null,Zx=new bt;function mk(e){return function(t,n){if(!vo)return!0;e(vo,t),Zx.
clear().union(t.bounds).intersect(n).round();let{x1:r,y1:i,x2:a,y2:o}=Zx;for(let s=i;s<=o;++s)for(let u=r;u<=a;++u)if(vo.isPointInPath(u,s))return!0;return!1}}function yk(e,t){
return t.contains(e.x||0,e.y||0)}function bk(e,t){let n=e.x||0,r=e.y||0,i=e.width||0,a=e.height||0;return t.intersects(Zx.set(n,r,n+i,r+a))}function Fj(e,t){let n=e.
x||0,r=e.y||0,i=e.x2!=null?e.x2:n,a=e.y2!=null?e.y2:r;return df(t,n,r,i,a)}function df(e,t,n,r,i){let{x1:a,y1:o,x2:s,y2:u}=e,l=r-t,c=i-n,f=0,d=1,h,p,g,m;for(m=0;m<
4;++m){if(m===0&&(h=-l,p=-(a-t)),m===1&&(h=l,p=s-t),m===2&&(h=-c,p=-(o-n)),m===3&&(h=c,p=u-n),Math.abs(h)<1e-10&&p<0)return!1;if(g=p/h,h<0){if(g>d)return!1;g>f&&
(f=g)}else if(h>0){if(g<f)return!1;g<d&&(d=g)}}return!0}function al(e,t){e.globalCompositeOperation=t.blend||"source-over"}function Lr(e,t){return e??t}function Q8(e,t){
let n=t.length;for(let r=0;r<n;++r)e.addColorStop(t[r].offset,t[r].color);return e}function Mj(e,t,n){let r=n.width(),i=n.height(),a;if(t.gradient==="radial")a=
e.createRadialGradient(n.x1+Lr(t.x1,.5)*r,n.y1+Lr(t.y1,.5)*i,Math.max(r,i)*Lr(t.r1,0),n.x1+Lr(t.x2,.5)*r,n.y1+Lr(t.y2,.5)*i,Math.max(r,i)*Lr(t.r2,.5));else{let o=Lr(
t.x1,0),s=Lr(t.y1,0),u=Lr(t.x2,1),l=Lr(t.y2,0);if(o===u||s===l||r===i)a=e.createLinearGradient(n.x1+o*r,n.y1+s*i,n.x1+u*r,n.y1+l*i);else{let c=br(Math.ceil(r),Math.
ceil(i)),f=c.getContext("2d");return f.scale(r,i),f.fillStyle=Q8(f.createLinearGradient(o,s,u,l),t.stops),f.fillRect(0,0,r,i),e.createPattern(c,"no-repeat")}}return Q8(
a,t.stops)}function xk(e,t,n){return s2(n)?Mj(e,n,t.bounds):n}function Z0(e,t,n){return n*=t.fillOpacity==null?1:t.fillOpacity,n>0?(e.globalAlpha=n,e.fillStyle=
xk(e,t,t.fill),!0):!1}var Dj=[];function ol(e,t,n){var r=(r=t.strokeWidth)!=null?r:1;return r<=0?!1:(n*=t.strokeOpacity==null?1:t.strokeOpacity,n>0?(e.globalAlpha=
n,e.strokeStyle=xk(e,t,t.stroke),e.lineWidth=r,e.lineCap=t.strokeCap||"butt",e.lineJoin=t.strokeJoin||"miter",e.miterLimit=t.strokeMiterLimit!=null?t.strokeMiterLimit:
4,e.setLineDash&&(e.setLineDash(t.strokeDash||Dj),e.lineDashOffset=t.strokeDashOffset||0),!0):!1)}function $j(e,t){return e.zindex-t.zindex||e.index-t.index}function vk(e){
if(!e.zdirty)return e.zitems;var t=e.items,n=[],r,i,a;for(i=0,a=t.length;i<a;++i)r=t[i],r.index=i,r.zindex&&n.push(r);return e.zdirty=!1,e.zitems=n.sort($j)}function Mi(e,t){
var n=e.items,r,i;if(!n||!n.length)return;let a=vk(e);if(a&&a.length){for(r=0,i=n.length;r<i;++r)n[r].zindex||t(n[r]);n=a}for(r=0,i=n.length;r<i;++r)t(n[r])}function Jx(e,t){
var n=e.items,r,i;if(!n||!n.length)return null;let a=vk(e);for(a&&a.length&&(n=a),i=n.length;--i>=0;)if(r=t(n[i]))return r;if(n===a){for(n=e.items,i=n.length;--i>=
0;)if(!n[i].zindex&&(r=t(n[i])))return r}return null}function c2(e){return function(t,n,r){Mi(n,i=>{(!r||r.intersects(i.bounds))&&wk(e,t,i,i)})}}function Tj(e){
return function(t,n,r){n.items.length&&(!r||r.intersects(n.bounds))&&wk(e,t,n.items[0],n.items)}}function wk(e,t,n,r){var i=n.opacity==null?1:n.opacity;i!==0&&(e(
t,r)||(al(t,n),n.fill&&Z0(t,n,i)&&t.fill(),n.stroke&&ol(t,n,i)&&t.stroke()))}function bp(e){return e=e||_t,function(t,n,r,i,a,o){return r*=t.pixelRatio,i*=t.pixelRatio,
Jx(n,s=>{let u=s.bounds;if(!(u&&!u.contains(a,o)||!u)&&e(t,s,r,i,a,o))return s})}}function Sf(e,t){return function(n,r,i,a){var o=Array.isArray(r)?r[0]:r,s=t??o.
fill,u=o.stroke&&n.isPointInStroke,l,c;return u&&(l=o.strokeWidth,c=o.strokeCap,n.lineWidth=l??1,n.lineCap=c??"butt"),e(n,r)?!1:s&&n.isPointInPath(i,a)||u&&n.isPointInStroke(
i,a)}}function f2(e){return bp(Sf(e))}function Ds(e,t){return"translate("+e+","+t+")"}function d2(e){return"rotate("+e+")"}function Rj(e,t){return"scale("+e+","+
t+")"}function Ak(e){return Ds(e.x||0,e.y||0)}function Oj(e){return Ds(e.x||0,e.y||0)+(e.angle?" "+d2(e.angle):"")}function Nj(e){return Ds(e.x||0,e.y||0)+(e.angle?
" "+d2(e.angle):"")+(e.scaleX||e.scaleY?" "+Rj(e.scaleX||1,e.scaleY||1):"")}function h2(e,t,n){function r(o,s){o("transform",Oj(s)),o("d",t(null,s))}function i(o,s){
return t(yp(o,s.angle),s),pa(o,s,!0).translate(s.x||0,s.y||0)}function a(o,s){var u=s.x||0,l=s.y||0,c=s.angle||0;o.translate(u,l),c&&o.rotate(c*=wo),o.beginPath(),
t(o,s),c&&o.rotate(-c),o.translate(-u,-l)}return{type:e,tag:"path",nested:!1,attr:r,bound:i,draw:c2(a),pick:f2(a),isect:n||mk(a)}}var Bj=h2("arc",xj);function Pj(e,t){
for(var n=e[0].orient==="horizontal"?t[1]:t[0],r=e[0].orient==="horizontal"?"y":"x",i=e.length,a=1/0,o,s;--i>=0;)e[i].defined!==!1&&(s=Math.abs(e[i][r]-n),s<a&&
(a=s,o=e[i]));return o}function Ij(e,t){for(var n=Math.pow(e[0].strokeWidth||1,2),r=e.length,i,a,o;--r>=0;)if(e[r].defined!==!1&&(i=e[r].x-t[0],a=e[r].y-t[1],o=
i*i+a*a,o<n))return e[r];return null}function zj(e,t){for(var n=e.length,r,i,a;--n>=0;)if(e[n].defined!==!1&&(r=e[n].x-t[0],i=e[n].y-t[1],a=r*r+i*i,r=e[n].size||
1,a<r*r))return e[n];return null}function p2(e,t,n){function r(u,l){var c=l.mark.items;c.length&&u("d",t(null,c))}function i(u,l){var c=l.items;return c.length===
0?u:(t(yp(u),c),pa(u,c[0],!0))}function a(u,l){u.beginPath(),t(u,l)}let o=Sf(a);function s(u,l,c,f,d,h){var p=l.items,g=l.bounds;return!p||!p.length||g&&!g.contains(
d,h)?null:(c*=u.pixelRatio,f*=u.pixelRatio,o(u,p,c,f)?p[0]:null)}return{type:e,tag:"path",nested:!0,attr:r,bound:i,draw:Tj(a),pick:s,isect:yk,tip:n}}var Lj=p2("\
area",vj,Pj);function Uj(e,t){var n=t.clip;e.save(),ae(n)?(e.beginPath(),n(e),e.clip()):Ek(e,t.group)}function Ek(e,t){e.beginPath(),u2(t)?ul(e,t,0,0):e.rect(0,
0,t.width||0,t.height||0),e.clip()}function Sk(e){let t=Lr(e.strokeWidth,1);return e.strokeOffset!=null?e.strokeOffset:e.stroke&&t>.5&&t<1.5?.5-Math.abs(t-1):0}
function qj(e,t){e("transform",Ak(t))}function Ck(e,t){let n=Sk(t);e("d",ul(null,t,n,n))}function jj(e,t){e("class","background"),e("aria-hidden",!0),Ck(e,t)}function Wj(e,t){
e("class","foreground"),e("aria-hidden",!0),t.strokeForeground?Ck(e,t):e("d","")}function Gj(e,t,n){let r=t.clip?l2(n,t,t):null;e("clip-path",r)}function Hj(e,t){
if(!t.clip&&t.items){let n=t.items,r=n.length;for(let i=0;i<r;++i)e.union(n[i].bounds)}return(t.clip||t.width||t.height)&&!t.noBound&&e.add(0,0).add(t.width||0,
t.height||0),pa(e,t),e.translate(t.x||0,t.y||0)}function bf(e,t,n,r){let i=Sk(t);e.beginPath(),ul(e,t,(n||0)+i,(r||0)+i)}var Yj=Sf(bf),Vj=Sf(bf,!1),Xj=Sf(bf,!0);
function Kj(e,t,n,r){Mi(t,i=>{let a=i.x||0,o=i.y||0,s=i.strokeForeground,u=i.opacity==null?1:i.opacity;(i.stroke||i.fill)&&u&&(bf(e,i,a,o),al(e,i),i.fill&&Z0(e,
i,u)&&e.fill(),i.stroke&&!s&&ol(e,i,u)&&e.stroke()),e.save(),e.translate(a,o),i.clip&&Ek(e,i),n&&n.translate(-a,-o),Mi(i,l=>{(l.marktype==="group"||r==null||r.includes(
l.marktype))&&this.draw(e,l,n,r)}),n&&n.translate(a,o),e.restore(),s&&i.stroke&&u&&(bf(e,i,a,o),al(e,i),ol(e,i,u)&&e.stroke())})}function Qj(e,t,n,r,i,a){if(t.bounds&&
!t.bounds.contains(i,a)||!t.items)return null;let o=n*e.pixelRatio,s=r*e.pixelRatio;return Jx(t,u=>{let l,c,f,d=u.bounds;if(d&&!d.contains(i,a))return;c=u.x||0,
f=u.y||0;let h=c+(u.width||0),p=f+(u.height||0),g=u.clip;if(g&&(i<c||i>h||a<f||a>p))return;if(e.save(),e.translate(c,f),c=i-c,f=a-f,g&&u2(u)&&!Xj(e,u,o,s))return e.
restore(),null;let m=u.strokeForeground,y=t.interactive!==!1;return y&&m&&u.stroke&&Vj(e,u,o,s)?(e.restore(),u):(l=Jx(u,b=>Zj(b,c,f)?this.pick(b,n,r,c,f):null),
!l&&y&&(u.fill||!m&&u.stroke)&&Yj(e,u,o,s)&&(l=u),e.restore(),l||null)})}function Zj(e,t,n){return(e.interactive!==!1||e.marktype==="group")&&e.bounds&&e.bounds.
contains(t,n)}var Jj={type:"group",tag:"g",nested:!1,attr:qj,bound:Hj,draw:Kj,pick:Qj,isect:bk,content:Gj,background:jj,foreground:Wj},xf={xmlns:"http://www.w3.\
org/2000/svg","xmlns:xlink":"http://www.w3.org/1999/xlink",version:"1.1"};function g2(e,t){var n=e.image;return(!n||e.url&&e.url!==n.url)&&(n={complete:!1,width:0,
height:0},t.loadImage(e.url).then(r=>{e.image=r,e.image.url=e.url})),n}function m2(e,t){return e.width!=null?e.width:!t||!t.width?0:e.aspect!==!1&&e.height?e.height*
t.width/t.height:t.width}function y2(e,t){return e.height!=null?e.height:!t||!t.height?0:e.aspect!==!1&&e.width?e.width*t.height/t.width:t.height}function xp(e,t){
return e==="center"?t/2:e==="right"?t:0}function vp(e,t){return e==="middle"?t/2:e==="bottom"?t:0}function eW(e,t,n){let r=g2(t,n),i=m2(t,r),a=y2(t,r),o=(t.x||0)-
xp(t.align,i),s=(t.y||0)-vp(t.baseline,a),u=!r.src&&r.toDataURL?r.toDataURL():r.src||"";e("href",u,xf["xmlns:xlink"],"xlink:href"),e("transform",Ds(o,s)),e("wid\
th",i),e("height",a),e("preserveAspectRatio",t.aspect===!1?"none":"xMidYMid")}function tW(e,t){let n=t.image,r=m2(t,n),i=y2(t,n),a=(t.x||0)-xp(t.align,r),o=(t.y||
0)-vp(t.baseline,i);return e.set(a,o,a+r,o+i)}function nW(e,t,n){Mi(t,r=>{if(n&&!n.intersects(r.bounds))return;let i=g2(r,this),a=m2(r,i),o=y2(r,i);if(a===0||o===
0)return;let s=(r.x||0)-xp(r.align,a),u=(r.y||0)-vp(r.baseline,o),l,c,f,d;r.aspect!==!1&&(c=i.width/i.height,f=r.width/r.height,c===c&&f===f&&c!==f&&(f<c?(d=a/c,
u+=(o-d)/2,o=d):(d=o*c,s+=(a-d)/2,a=d))),(i.complete||i.toDataURL)&&(al(e,r),e.globalAlpha=(l=r.opacity)!=null?l:1,e.imageSmoothingEnabled=r.smooth!==!1,e.drawImage(
i,s,u,a,o))})}var rW={type:"image",tag:"image",nested:!1,attr:eW,bound:tW,draw:nW,pick:bp(),isect:_t,get:g2,xOffset:xp,yOffset:vp},iW=p2("line",wj,Ij);function aW(e,t){
var n=t.scaleX||1,r=t.scaleY||1;(n!==1||r!==1)&&e("vector-effect","non-scaling-stroke"),e("transform",Nj(t)),e("d",t.path)}function Y0(e,t){var n=t.path;if(n==null)
return!0;var r=t.x||0,i=t.y||0,a=t.scaleX||1,o=t.scaleY||1,s=(t.angle||0)*wo,u=t.pathCache;(!u||u.path!==n)&&((t.pathCache=u=dp(n)).path=n),s&&e.rotate&&e.translate?
(e.translate(r,i),e.rotate(s),yf(e,u,0,0,a,o),e.rotate(-s),e.translate(-r,-i)):yf(e,u,r,i,a,o)}function oW(e,t){return Y0(yp(e,t.angle),t)?e.set(0,0,0,0):pa(e,t,
!0)}var sW={type:"path",tag:"path",nested:!1,attr:aW,bound:oW,draw:c2(Y0),pick:f2(Y0),isect:mk(Y0)};function uW(e,t){e("d",ul(null,t))}function lW(e,t){var n,r;
return pa(e.set(n=t.x||0,r=t.y||0,n+t.width||0,r+t.height||0),t)}function Z8(e,t){e.beginPath(),ul(e,t)}var cW={type:"rect",tag:"path",nested:!1,attr:uW,bound:lW,
draw:c2(Z8),pick:f2(Z8),isect:bk};function fW(e,t){e("transform",Ak(t)),e("x2",t.x2!=null?t.x2-(t.x||0):0),e("y2",t.y2!=null?t.y2-(t.y||0):0)}function dW(e,t){var n,
r;return pa(e.set(n=t.x||0,r=t.y||0,t.x2!=null?t.x2:n,t.y2!=null?t.y2:r),t)}function _k(e,t,n){var r,i,a,o;return t.stroke&&ol(e,t,n)?(r=t.x||0,i=t.y||0,a=t.x2!=
null?t.x2:r,o=t.y2!=null?t.y2:i,e.beginPath(),e.moveTo(r,i),e.lineTo(a,o),!0):!1}function hW(e,t,n){Mi(t,r=>{if(!(n&&!n.intersects(r.bounds))){var i=r.opacity==
null?1:r.opacity;i&&_k(e,r,i)&&(al(e,r),e.stroke())}})}function pW(e,t,n,r){return e.isPointInStroke?_k(e,t,1)&&e.isPointInStroke(n,r):!1}var gW={type:"rule",tag:"\
line",nested:!1,attr:fW,bound:dW,draw:hW,pick:bp(pW),isect:Fj},mW=h2("shape",Aj),yW=h2("symbol",Ej,yk),J8=ey(),sr={height:ga,measureWidth:b2,estimateWidth:J0,width:J0,
canvas:kk};kk(!0);function kk(e){sr.width=e&&vo?b2:J0}function J0(e,t){return Fk(Ao(e,t),ga(e))}function Fk(e,t){return~~(.8*e.length*t)}function b2(e,t){return ga(
e)<=0||!(t=Ao(e,t))?0:Mk(t,v2(e))}function Mk(e,t){let n=`(${t}) ${e}`,r=J8.get(n);return r===void 0&&(vo.font=t,r=vo.measureText(e).width,J8.set(n,r)),r}function ga(e){
return e.fontSize!=null?+e.fontSize||0:11}function $s(e){return e.lineHeight!=null?e.lineHeight:ga(e)+2}function bW(e){return R(e)?e.length>1?e:e[0]:e}function Cf(e){
return bW(e.lineBreak&&e.text&&!R(e.text)?e.text.split(e.lineBreak):e.text)}function x2(e){let t=Cf(e);return(R(t)?t.length-1:0)*$s(e)}function Ao(e,t){let n=t==
null?"":(t+"").trim();return e.limit>0&&n.length?vW(e,n):n}function xW(e){if(sr.width===b2){let t=v2(e);return n=>Mk(n,t)}else if(sr.width===J0){let t=ga(e);return n=>Fk(
n,t)}else return t=>sr.width(e,t)}function vW(e,t){var n=+e.limit,r=xW(e);if(r(t)<n)return t;var i=e.ellipsis||"\u2026",a=e.dir==="rtl",o=0,s=t.length,u;if(n-=r(
i),a){for(;o<s;)u=o+s>>>1,r(t.slice(u))>n?o=u+1:s=u;return i+t.slice(o)}else{for(;o<s;)u=1+(o+s>>>1),r(t.slice(0,u))<n?o=u:s=u-1;return t.slice(0,o)+i}}function wp(e,t){
var n=e.font;return(t&&n?String(n).replace(/"/g,"'"):n)||"sans-serif"}function v2(e,t){return(e.fontStyle?e.fontStyle+" ":"")+(e.fontVariant?e.fontVariant+" ":"")+
(e.fontWeight?e.fontWeight+" ":"")+ga(e)+"px "+wp(e,t)}function w2(e){var t=e.baseline,n=ga(e);return Math.round(t==="top"?.79*n:t==="middle"?.3*n:t==="bottom"?
-.21*n:t==="line-top"?.29*n+.5*$s(e):t==="line-bottom"?.29*n-.5*$s(e):0)}var wW={left:"start",center:"middle",right:"end"},pf=new bt;function Ap(e){var t=e.x||0,
n=e.y||0,r=e.radius||0,i;return r&&(i=(e.theta||0)-Cs,t+=r*Math.cos(i),n+=r*Math.sin(i)),pf.x1=t,pf.y1=n,pf}function AW(e,t){var n=t.dx||0,r=(t.dy||0)+w2(t),i=Ap(
t),a=i.x1,o=i.y1,s=t.angle||0,u;e("text-anchor",wW[t.align]||"start"),s?(u=Ds(a,o)+" "+d2(s),(n||r)&&(u+=" "+Ds(n,r))):u=Ds(a+n,o+r),e("transform",u)}function A2(e,t,n){
var r=sr.height(t),i=t.align,a=Ap(t),o=a.x1,s=a.y1,u=t.dx||0,l=(t.dy||0)+w2(t)-Math.round(.8*r),c=Cf(t),f;if(R(c)?(r+=$s(t)*(c.length-1),f=c.reduce((d,h)=>Math.
max(d,sr.width(t,h)),0)):f=sr.width(t,c),i==="center"?u-=f/2:i==="right"&&(u-=f),e.set(u+=o,l+=s,u+f,l+r),t.angle&&!n)e.rotate(t.angle*wo,o,s);else if(n===2)return e.
rotatedPoints(t.angle*wo,o,s);return e}function EW(e,t,n){Mi(t,r=>{var i=r.opacity==null?1:r.opacity,a,o,s,u,l,c,f;if(!(n&&!n.intersects(r.bounds)||i===0||r.fontSize<=
0||r.text==null||r.text.length===0)){if(e.font=v2(r),e.textAlign=r.align||"left",a=Ap(r),o=a.x1,s=a.y1,r.angle&&(e.save(),e.translate(o,s),e.rotate(r.angle*wo),
o=s=0),o+=r.dx||0,s+=(r.dy||0)+w2(r),c=Cf(r),al(e,r),R(c))for(l=$s(r),u=0;u<c.length;++u)f=Ao(r,c[u]),r.fill&&Z0(e,r,i)&&e.fillText(f,o,s),r.stroke&&ol(e,r,i)&&
e.strokeText(f,o,s),s+=l;else f=Ao(r,c),r.fill&&Z0(e,r,i)&&e.fillText(f,o,s),r.stroke&&ol(e,r,i)&&e.strokeText(f,o,s);r.angle&&e.restore()}})}function SW(e,t,n,r,i,a){
if(t.fontSize<=0)return!1;if(!t.angle)return!0;var o=Ap(t),s=o.x1,u=o.y1,l=A2(pf,t,1),c=-t.angle*wo,f=Math.cos(c),d=Math.sin(c),h=f*i-d*a+(s-f*s+d*u),p=d*i+f*a+
(u-d*s-f*u);return l.contains(h,p)}function CW(e,t){let n=A2(pf,e,2);return df(t,n[0],n[1],n[2],n[3])||df(t,n[0],n[1],n[4],n[5])||df(t,n[4],n[5],n[6],n[7])||df(
t,n[2],n[3],n[6],n[7])}var _W={type:"text",tag:"text",nested:!1,attr:AW,bound:A2,draw:EW,pick:bp(SW),isect:CW},kW=p2("trail",Sj,zj),Un={arc:Bj,area:Lj,group:Jj,
image:rW,line:iW,path:sW,rect:cW,rule:gW,shape:mW,symbol:yW,text:_W,trail:kW};function ek(e,t,n){var r=Un[e.mark.marktype],i=t||r.bound;return r.nested&&(e=e.mark),
i(e.bounds||(e.bounds=new bt),e,n)}var tk={mark:null};function FW(e,t,n){var r=Un[e.marktype],i=r.bound,a=e.items,o=a&&a.length,s,u,l,c;if(r.nested)return o?l=a[0]:
(tk.mark=e,l=tk),c=ek(l,i,n),t=t&&t.union(c)||c,t;if(t=t||e.bounds&&e.bounds.clear()||new bt,o)for(s=0,u=a.length;s<u;++s)t.union(ek(a[s],i,n));return e.bounds=
t}var MW=["marktype","name","role","interactive","clip","items","zindex","x","y","width","height","align","baseline","fill","fillOpacity","opacity","blend","str\
oke","strokeOpacity","strokeWidth","strokeCap","strokeDash","strokeDashOffset","strokeForeground","strokeOffset","startAngle","endAngle","innerRadius","outerRad\
ius","cornerRadius","padAngle","cornerRadiusTopLeft","cornerRadiusTopRight","cornerRadiusBottomLeft","cornerRadiusBottomRight","interpolate","tension","orient",
"defined","url","aspect","smooth","path","scaleX","scaleY","x2","y2","size","shape","text","angle","theta","radius","dir","dx","dy","ellipsis","limit","lineBrea\
k","lineHeight","font","fontSize","fontWeight","fontStyle","fontVariant","description","aria","ariaRole","ariaRoleDescription"];function DW(e,t){return JSON.stringify(
e,MW,t)}function $W(e){let t=typeof e=="string"?JSON.parse(e):e;return Dk(t)}function Dk(e){var t=e.marktype,n=e.items,r,i,a;if(n)for(i=0,a=n.length;i<a;++i)r=t?
"mark":"group",n[i][r]=e,n[i].zindex&&(n[i][r].zdirty=!0),(t||r)==="group"&&Dk(n[i]);return t&&FW(e),e}var ep=class{constructor(t){arguments.length?this.root=$W(
t):(this.root=nk({marktype:"group",name:"root",role:"frame"}),this.root.items=[new gp(this.root)])}toJSON(t){return DW(this.root,t||0)}mark(t,n,r){n=n||this.root.
items[0];let i=nk(t,n);return n.items[r]=i,i.zindex&&(i.group.zdirty=!0),i}};function nk(e,t){let n={bounds:new bt,clip:!!e.clip,group:t,interactive:e.interactive!==
!1,items:[],marktype:e.marktype,name:e.name||void 0,role:e.role||void 0,zindex:e.zindex||0};return e.aria!=null&&(n.aria=e.aria),e.description&&(n.description=e.
description),n}function Ms(e,t,n){return!e&&typeof document<"u"&&document.createElement&&(e=document),e?n?e.createElementNS(n,t):e.createElement(t):null}function $k(e,t){
t=t.toLowerCase();for(var n=e.childNodes,r=0,i=n.length;r<i;++r)if(n[r].tagName.toLowerCase()===t)return n[r]}function zt(e,t,n,r){var i=e.childNodes[t],a;return(!i||
i.tagName.toLowerCase()!==n.toLowerCase())&&(a=i||null,i=Ms(e.ownerDocument,n,r),e.insertBefore(i,a)),i}function Ur(e,t){for(var n=e.childNodes,r=n.length;r>t;)
e.removeChild(n[--r]);return e}function Tk(e){return"mark-"+e.marktype+(e.role?" role-"+e.role:"")+(e.name?" "+e.name:"")}function Ep(e,t){if(t.getScreenCTM){let n=TW(
e,t.getScreenCTM());if(n)return n}return RW(e,t,t.getBoundingClientRect())}function TW(e,t){if(!t)return null;let n=t.a*t.d-t.b*t.c;if(!n)return null;let r=e.clientX-
t.e,i=e.clientY-t.f;return[(t.d*r-t.c*i)/n,(t.a*i-t.b*r)/n]}function RW(e,t,n){let r=t.offsetWidth?n.width/t.offsetWidth:1,i=t.offsetHeight?n.height/t.offsetHeight:
1;return[(e.clientX-n.left)/r-(t.clientLeft||0),(e.clientY-n.top)/i-(t.clientTop||0)]}function OW(e,t,n,r){var i=e&&e.mark,a,o;if(i&&(a=Un[i.marktype]).tip){for(o=
Ep(t,n),o[0]-=r[0],o[1]-=r[1];e=e.mark.group;)o[0]-=e.x||0,o[1]-=e.y||0;e=a.tip(i.items,o)}return e}var tp=class{constructor(t,n){this._active=null,this._handlers=
{},this._loader=t||$c(),this._tooltip=n||NW}initialize(t,n,r){return this._el=t,this._obj=r||null,this.origin(n)}element(){return this._el}canvas(){return this.
_el&&this._el.firstChild}origin(t){return arguments.length?(this._origin=t||[0,0],this):this._origin.slice()}scene(t){return arguments.length?(this._scene=t,this):
this._scene}on(){}off(){}_handlerIndex(t,n,r){for(let i=t?t.length:0;--i>=0;)if(t[i].type===n&&(!r||t[i].handler===r))return i;return-1}handlers(t){let n=this._handlers,
r=[];if(t)r.push(...n[this.eventName(t)]);else for(let i in n)r.push(...n[i]);return r}eventName(t){let n=t.indexOf(".");return n<0?t:t.slice(0,n)}handleHref(t,n,r){
this._loader.sanitize(r,{context:"href"}).then(i=>{let a=new MouseEvent(t.type,t),o=Ms(null,"a");for(let s in i)o.setAttribute(s,i[s]);o.dispatchEvent(a)}).catch(
()=>{})}handleTooltip(t,n,r){if(n&&n.tooltip!=null){n=OW(n,t,this.canvas(),this._origin);let i=r&&n&&n.tooltip||null;this._tooltip.call(this._obj,this,t,n,i)}}getItemBoundingClientRect(t){
let n=this.canvas();if(!n)return;let r=n.getBoundingClientRect(),i=this._origin,a=t.bounds,o=a.width(),s=a.height(),u=a.x1+i[0]+r.left,l=a.y1+i[1]+r.top;for(;t.
mark&&(t=t.mark.group);)u+=t.x||0,l+=t.y||0;return{x:u,y:l,width:o,height:s,left:u,top:l,right:u+o,bottom:l+s}}};function NW(e,t,n,r){e.element().setAttribute("\
title",r||"")}var sl=class{constructor(t){this._el=null,this._bgcolor=null,this._loader=new Vx(t)}initialize(t,n,r,i,a){return this._el=t,this.resize(n,r,i,a)}element(){
return this._el}canvas(){return this._el&&this._el.firstChild}background(t){return arguments.length===0?this._bgcolor:(this._bgcolor=t,this)}resize(t,n,r,i){return this.
_width=t,this._height=n,this._origin=r||[0,0],this._scale=i||1,this}dirty(){}render(t,n){let r=this;return r._call=function(){r._render(t,n)},r._call(),r._call=
null,r}_render(){}renderAsync(t,n){let r=this.render(t,n);return this._ready?this._ready.then(()=>r):Promise.resolve(r)}_load(t,n){var r=this,i=r._loader[t](n);
if(!r._ready){let a=r._call;r._ready=r._loader.ready().then(o=>{o&&a(),r._ready=null})}return i}sanitizeURL(t){return this._load("sanitizeURL",t)}loadImage(t){return this.
_load("loadImage",t)}},BW="keydown",PW="keypress",IW="keyup",Rk="dragenter",V0="dragleave",Ok="dragover",e2="pointerdown",zW="pointerup",np="pointermove",X0="po\
interout",Nk="pointerover",t2="mousedown",LW="mouseup",Bk="mousemove",rp="mouseout",Pk="mouseover",ip="click",UW="dblclick",qW="wheel",Ik="mousewheel",ap="touch\
start",op="touchmove",sp="touchend",jW=[BW,PW,IW,Rk,V0,Ok,e2,zW,np,X0,Nk,t2,LW,Bk,rp,Pk,ip,UW,qW,Ik,ap,op,sp],n2=np,gf=rp,r2=ip,Ts=class extends tp{constructor(t,n){
super(t,n),this._down=null,this._touch=null,this._first=!0,this._events={},this.events=jW,this.pointermove=ik([np,Bk],[Nk,Pk],[X0,rp]),this.dragover=ik([Ok],[Rk],
[V0]),this.pointerout=ak([X0,rp]),this.dragleave=ak([V0])}initialize(t,n,r){return this._canvas=t&&$k(t,"canvas"),[ip,t2,e2,np,X0,V0].forEach(i=>rk(this,i)),super.
initialize(t,n,r)}canvas(){return this._canvas}context(){return this._canvas.getContext("2d")}DOMMouseScroll(t){this.fire(Ik,t)}pointerdown(t){this._down=this._active,
this.fire(e2,t)}mousedown(t){this._down=this._active,this.fire(t2,t)}click(t){this._down===this._active&&(this.fire(ip,t),this._down=null)}touchstart(t){this._touch=
this.pickEvent(t.changedTouches[0]),this._first&&(this._active=this._touch,this._first=!1),this.fire(ap,t,!0)}touchmove(t){this.fire(op,t,!0)}touchend(t){this.fire(
sp,t,!0),this._touch=null}fire(t,n,r){let i=r?this._touch:this._active,a=this._handlers[t];if(n.vegaType=t,t===r2&&i&&i.href?this.handleHref(n,i,i.href):(t===n2||
t===gf)&&this.handleTooltip(n,i,t!==gf),a)for(let o=0,s=a.length;o<s;++o)a[o].handler.call(this._obj,n,i)}on(t,n){let r=this.eventName(t),i=this._handlers;return this.
_handlerIndex(i[r],t,n)<0&&(rk(this,t),(i[r]||(i[r]=[])).push({type:t,handler:n})),this}off(t,n){let r=this.eventName(t),i=this._handlers[r],a=this._handlerIndex(
i,t,n);return a>=0&&i.splice(a,1),this}pickEvent(t){let n=Ep(t,this._canvas),r=this._origin;return this.pick(this._scene,n[0],n[1],n[0]-r[0],n[1]-r[1])}pick(t,n,r,i,a){
let o=this.context();return Un[t.marktype].pick.call(this,o,t,n,r,i,a)}},WW=e=>e===ap||e===op||e===sp?[ap,op,sp]:[e];function rk(e,t){WW(t).forEach(n=>GW(e,n))}
function GW(e,t){let n=e.canvas();n&&!e._events[t]&&(e._events[t]=1,n.addEventListener(t,e[t]?r=>e[t](r):r=>e.fire(t,r)))}function hf(e,t,n){t.forEach(r=>e.fire(
r,n))}function ik(e,t,n){return function(r){let i=this._active,a=this.pickEvent(r);a===i?hf(this,e,r):((!i||!i.exit)&&hf(this,n,r),this._active=a,hf(this,t,r),hf(
this,e,r))}}function ak(e){return function(t){hf(this,e,t),this._active=null}}function HW(){return typeof window<"u"&&window.devicePixelRatio||1}function YW(e,t,n,r,i,a){
let o=typeof HTMLElement<"u"&&e instanceof HTMLElement&&e.parentNode!=null,s=e.getContext("2d"),u=o?HW():i;e.width=t*u,e.height=n*u;for(let l in a)s[l]=a[l];return o&&
(e.style.width=t+"px",e.style.height=n+"px"),s.pixelRatio=u,s.setTransform(u,0,0,u,u*r[0],u*r[1]),e}var vf=class extends sl{constructor(t){super(t),this._options=
{},this._redraw=!1,this._dirty=new bt,this._tempb=new bt}initialize(t,n,r,i,a,o){return this._options=o||{},this._canvas=this._options.externalContext?null:br(1,
1,this._options.type),t&&this._canvas&&(Ur(t,0).appendChild(this._canvas),this._canvas.setAttribute("class","marks"),this._canvas.style.setProperty("vertical-al\
ign","bottom")),super.initialize(t,n,r,i,a)}resize(t,n,r,i){if(super.resize(t,n,r,i),this._canvas)YW(this._canvas,this._width,this._height,this._origin,this._scale,
this._options.context);else{let a=this._options.externalContext;a||D("CanvasRenderer is missing a valid canvas or context"),a.scale(this._scale,this._scale),a.translate(
this._origin[0],this._origin[1])}return this._redraw=!0,this}canvas(){return this._canvas}context(){return this._options.externalContext||(this._canvas?this._canvas.
getContext("2d"):null)}dirty(t){let n=this._tempb.clear().union(t.bounds),r=t.mark.group;for(;r;)n.translate(r.x||0,r.y||0),r=r.mark.group;this._dirty.union(n)}_render(t,n){
let r=this.context(),i=this._origin,a=this._width,o=this._height,s=this._dirty,u=VW(i,a,o);r.save();let l=this._redraw||s.empty()?(this._redraw=!1,u.expand(1)):
XW(r,u.intersect(s),i);return this.clear(-i[0],-i[1],a,o),this.draw(r,t,l,n),r.restore(),s.clear(),this}draw(t,n,r,i){if(n.marktype!=="group"&&i!=null&&!i.includes(
n.marktype))return;let a=Un[n.marktype];n.clip&&Uj(t,n),a.draw.call(this,t,n,r,i),n.clip&&t.restore()}clear(t,n,r,i){let a=this._options,o=this.context();a.type!==
"pdf"&&!a.externalContext&&o.clearRect(t,n,r,i),this._bgcolor!=null&&(o.fillStyle=this._bgcolor,o.fillRect(t,n,r,i))}},VW=(e,t,n)=>new bt().set(0,0,t,n).translate(
-e[0],-e[1]);function XW(e,t,n){return t.expand(1).round(),e.pixelRatio%1&&t.scale(e.pixelRatio).round().scale(1/e.pixelRatio),t.translate(-(n[0]%1),-(n[1]%1)),
e.beginPath(),e.rect(t.x1,t.y1,t.width(),t.height()),e.clip(),t}var i2=class extends tp{constructor(t,n){super(t,n);let r=this;r._hrefHandler=Hx(r,(i,a)=>{a&&a.
href&&r.handleHref(i,a,a.href)}),r._tooltipHandler=Hx(r,(i,a)=>{r.handleTooltip(i,a,i.type!==gf)})}initialize(t,n,r){let i=this._svg;return i&&(i.removeEventListener(
r2,this._hrefHandler),i.removeEventListener(n2,this._tooltipHandler),i.removeEventListener(gf,this._tooltipHandler)),this._svg=i=t&&$k(t,"svg"),i&&(i.addEventListener(
r2,this._hrefHandler),i.addEventListener(n2,this._tooltipHandler),i.addEventListener(gf,this._tooltipHandler)),super.initialize(t,n,r)}canvas(){return this._svg}on(t,n){
let r=this.eventName(t),i=this._handlers;if(this._handlerIndex(i[r],t,n)<0){let o={type:t,handler:n,listener:Hx(this,n)};(i[r]||(i[r]=[])).push(o),this._svg&&this.
_svg.addEventListener(r,o.listener)}return this}off(t,n){let r=this.eventName(t),i=this._handlers[r],a=this._handlerIndex(i,t,n);return a>=0&&(this._svg&&this._svg.
removeEventListener(r,i[a].listener),i.splice(a,1)),this}},Hx=(e,t)=>n=>{let r=n.target.__data__;r=Array.isArray(r)?r[0]:r,n.vegaType=n.type,t.call(e._obj,n,r)},
zk="aria-hidden",E2="aria-label",S2="role",C2="aria-roledescription",Lk="graphics-object",_2="graphics-symbol",Uk=(e,t,n)=>({[S2]:e,[C2]:t,[E2]:n||void 0}),KW=mt(
["axis-domain","axis-grid","axis-label","axis-tick","axis-title","legend-band","legend-entry","legend-gradient","legend-label","legend-title","legend-symbol","t\
itle"]),ok={axis:{desc:"axis",caption:JW},legend:{desc:"legend",caption:eG},"title-text":{desc:"title",caption:e=>`Title text '${uk(e)}'`},"title-subtitle":{desc:"\
subtitle",caption:e=>`Subtitle text '${uk(e)}'`}},sk={ariaRole:S2,ariaRoleDescription:C2,description:E2};function qk(e,t){let n=t.aria===!1;if(e(zk,n||void 0),n||
t.description==null)for(let r in sk)e(sk[r],void 0);else{let r=t.mark.marktype;e(E2,t.description),e(S2,t.ariaRole||(r==="group"?Lk:_2)),e(C2,t.ariaRoleDescription||
`${r} mark`)}}function jk(e){return e.aria===!1?{[zk]:!0}:KW[e.role]?null:ok[e.role]?ZW(e,ok[e.role]):QW(e)}function QW(e){let t=e.marktype,n=t==="group"||t==="\
text"||e.items.some(r=>r.description!=null&&r.aria!==!1);return Uk(n?Lk:_2,`${t} mark container`,e.description)}function ZW(e,t){try{let n=e.items[0],r=t.caption||
(()=>"");return Uk(t.role||_2,t.desc,e.description||n.description||r(n))}catch{return null}}function uk(e){return H(e.text).join(" ")}function JW(e){let t=e.datum,
n=e.orient,r=t.title?Wk(e):null,i=e.context,a=i.scales[t.scale].value,o=i.dataflow.locale(),s=a.type;return`${n==="left"||n==="right"?"Y":"X"}-axis`+(r?` titled\
 '${r}'`:"")+` for a ${go(s)?"discrete":s} scale with ${Lx(o,a,e)}`}function eG(e){let t=e.datum,n=t.title?Wk(e):null,r=`${t.type||""} legend`.trim(),i=t.scales,
a=Object.keys(i),o=e.context,s=o.scales[i[a[0]]].value,u=o.dataflow.locale();return nG(r)+(n?` titled '${n}'`:"")+` for ${tG(a)} with ${Lx(u,s,e)}`}function Wk(e){
try{return H(fe(e.items).items[0].text).join(" ")}catch{return null}}function tG(e){return e=e.map(t=>t+(t==="fill"||t==="stroke"?" color":"")),e.length<2?e[0]:
e.slice(0,-1).join(", ")+" and "+fe(e)}function nG(e){return e.length?e[0].toUpperCase()+e.slice(1):e}var Gk=e=>(e+"").replace(/&/g,"&amp;").replace(/</g,"&lt;").
replace(/>/g,"&gt;"),rG=e=>Gk(e).replace(/"/g,"&quot;").replace(/\t/g,"&#x9;").replace(/\n/g,"&#xA;").replace(/\r/g,"&#xD;");function Hk(){let e="",t="",n="",r=[],
i=()=>t=n="",a=u=>{t&&(e+=`${t}>${n}`,i()),r.push(u)},o=(u,l)=>(l!=null&&(t+=` ${u}="${rG(l)}"`),s),s={open(u,...l){a(u),t="<"+u;for(let c of l)for(let f in c)o(
f,c[f]);return s},close(){let u=r.pop();return t?e+=t+(n?`>${n}</${u}>`:"/>"):e+=`</${u}>`,i(),s},attr:o,text:u=>(n+=Gk(u),s),toString:()=>e};return s}var iG=e=>Yk(
Hk(),e)+"";function Yk(e,t){if(e.open(t.tagName),t.hasAttributes()){let n=t.attributes,r=n.length;for(let i=0;i<r;++i)e.attr(n[i].name,n[i].value)}if(t.hasChildNodes()){
let n=t.childNodes;for(let r of n)r.nodeType===3?e.text(r.nodeValue):Yk(e,r)}return e.close()}var up={fill:"fill",fillOpacity:"fill-opacity",stroke:"stroke",strokeOpacity:"\
stroke-opacity",strokeWidth:"stroke-width",strokeCap:"stroke-linecap",strokeJoin:"stroke-linejoin",strokeDash:"stroke-dasharray",strokeDashOffset:"stroke-dashof\
fset",strokeMiterLimit:"stroke-miterlimit",opacity:"opacity"},lp={blend:"mix-blend-mode"},Vk={fill:"none","stroke-miterlimit":4},ff=0,lk="http://www.w3.org/2000\
/xmlns/",Mt=xf.xmlns,cp=class extends sl{constructor(t){super(t),this._dirtyID=0,this._dirty=[],this._svg=null,this._root=null,this._defs=null}initialize(t,n,r,i,a){
return this._defs={},this._clearDefs(),t&&(this._svg=zt(t,0,"svg",Mt),this._svg.setAttributeNS(lk,"xmlns",Mt),this._svg.setAttributeNS(lk,"xmlns:xlink",xf["xmln\
s:xlink"]),this._svg.setAttribute("version",xf.version),this._svg.setAttribute("class","marks"),this._svg.style.setProperty("vertical-align","bottom"),Ur(t,1),this.
_root=zt(this._svg,ff,"g",Mt),xo(this._root,Vk),Ur(this._svg,ff+1)),this.background(this._bgcolor),super.initialize(t,n,r,i,a)}background(t){return arguments.length&&
this._svg&&this._svg.style.setProperty("background-color",t),super.background(...arguments)}resize(t,n,r,i){return super.resize(t,n,r,i),this._svg&&(xo(this._svg,
{width:this._width*this._scale,height:this._height*this._scale,viewBox:`0 0 ${this._width} ${this._height}`}),this._root.setAttribute("transform",`translate(${this.
_origin})`)),this._dirty=[],this}canvas(){return this._svg}svg(){let t=this._svg,n=this._bgcolor;if(!t)return null;let r=t.getAttribute("style");t.removeAttribute(
"style");let i;n&&(i=zt(t,ff,"rect",Mt),xo(i,{width:this._width,height:this._height,fill:n}));let a=iG(t);return n&&t.removeChild(i),r&&t.setAttribute("style",r),
a}_render(t,n){return this._dirtyCheck()&&(this._dirtyAll&&this._clearDefs(),this.mark(this._root,t,void 0,n),Ur(this._root,1)),this.defs(),this._dirty=[],++this.
_dirtyID,this}dirty(t){t.dirty!==this._dirtyID&&(t.dirty=this._dirtyID,this._dirty.push(t))}isDirty(t){return this._dirtyAll||!t._svg||!t._svg.ownerSVGElement||
t.dirty===this._dirtyID}_dirtyCheck(){this._dirtyAll=!0;let t=this._dirty;if(!t.length||!this._dirtyID)return!0;let n=++this._dirtyID,r,i,a,o,s,u,l;for(s=0,u=t.
length;s<u;++s)if(r=t[s],i=r.mark,i.marktype!==a&&(a=i.marktype,o=Un[a]),i.zdirty&&i.dirty!==n&&(this._dirtyAll=!1,ck(r,n),i.items.forEach(c=>{c.dirty=n})),!i.zdirty){
if(r.exit){o.nested&&i.items.length?(l=i.items[0],l._svg&&this._update(o,l._svg,l)):r._svg&&(l=r._svg.parentNode,l&&l.removeChild(r._svg)),r._svg=null;continue}
r=o.nested?i.items[0]:r,r._update!==n&&(!r._svg||!r._svg.ownerSVGElement?(this._dirtyAll=!1,ck(r,n)):this._update(o,r._svg,r),r._update=n)}return!this._dirtyAll}mark(t,n,r,i){
if(!this.isDirty(n))return n._svg;let a=this._svg,o=n.marktype,s=Un[o],u=n.interactive===!1?"none":null,l=s.tag==="g",c=fk(n,t,r,"g",a);if(o!=="group"&&i!=null&&
!i.includes(o))return Ur(c,0),n._svg;c.setAttribute("class",Tk(n));let f=jk(n);for(let g in f)wn(c,g,f[g]);l||wn(c,"pointer-events",u),wn(c,"clip-path",n.clip?l2(
this,n,n.group):null);let d=null,h=0,p=g=>{let m=this.isDirty(g),y=fk(g,c,d,s.tag,a);m&&(this._update(s,y,g),l&&sG(this,y,g,i)),d=y,++h};return s.nested?n.items.
length&&p(n.items[0]):Mi(n,p),Ur(c,h),c}_update(t,n,r){ha=n,cn=n.__values__,qk(mf,r),t.attr(mf,r,this);let i=lG[t.type];i&&i.call(this,t,n,r),ha&&this.style(ha,
r)}style(t,n){if(n!=null){for(let r in up){let i=r==="font"?wp(n):n[r];if(i===cn[r])continue;let a=up[r];i==null?t.removeAttribute(a):(s2(i)&&(i=dk(i,this._defs.
gradient,Xk())),t.setAttribute(a,i+"")),cn[r]=i}for(let r in lp)K0(t,lp[r],n[r])}}defs(){let t=this._svg,n=this._defs,r=n.el,i=0;for(let a in n.gradient)r||(n.el=
r=zt(t,ff+1,"defs",Mt)),i=aG(r,n.gradient[a],i);for(let a in n.clipping)r||(n.el=r=zt(t,ff+1,"defs",Mt)),i=oG(r,n.clipping[a],i);r&&(i===0?(t.removeChild(r),n.el=
null):Ur(r,i))}_clearDefs(){let t=this._defs;t.gradient={},t.clipping={}}};function ck(e,t){for(;e&&e.dirty!==t;e=e.mark.group)if(e.dirty=t,e.mark&&e.mark.dirty!==
t)e.mark.dirty=t;else return}function aG(e,t,n){let r,i,a;if(t.gradient==="radial"){let o=zt(e,n++,"pattern",Mt);xo(o,{id:Q0+t.id,viewBox:"0,0,1,1",width:"100%",
height:"100%",preserveAspectRatio:"xMidYMid slice"}),o=zt(o,0,"rect",Mt),xo(o,{width:1,height:1,fill:`url(${Xk()}#${t.id})`}),e=zt(e,n++,"radialGradient",Mt),xo(
e,{id:t.id,fx:t.x1,fy:t.y1,fr:t.r1,cx:t.x2,cy:t.y2,r:t.r2})}else e=zt(e,n++,"linearGradient",Mt),xo(e,{id:t.id,x1:t.x1,x2:t.x2,y1:t.y1,y2:t.y2});for(r=0,i=t.stops.
length;r<i;++r)a=zt(e,r,"stop",Mt),a.setAttribute("offset",t.stops[r].offset),a.setAttribute("stop-color",t.stops[r].color);return Ur(e,r),n}function oG(e,t,n){
let r;return e=zt(e,n,"clipPath",Mt),e.setAttribute("id",t.id),t.path?(r=zt(e,0,"path",Mt),r.setAttribute("d",t.path)):(r=zt(e,0,"rect",Mt),xo(r,{x:0,y:0,width:t.
width,height:t.height})),Ur(e,1),n+1}function sG(e,t,n,r){t=t.lastChild.previousSibling;let i,a=0;Mi(n,o=>{i=e.mark(t,o,i,r),++a}),Ur(t,1+a)}function fk(e,t,n,r,i){
let a=e._svg,o;if(!a&&(o=t.ownerDocument,a=Ms(o,r,Mt),e._svg=a,e.mark&&(a.__data__=e,a.__values__={fill:"default"},r==="g"))){let s=Ms(o,"path",Mt);a.appendChild(
s),s.__data__=e;let u=Ms(o,"g",Mt);a.appendChild(u),u.__data__=e;let l=Ms(o,"path",Mt);a.appendChild(l),l.__data__=e,l.__values__={fill:"default"}}return(a.ownerSVGElement!==
i||uG(a,n))&&t.insertBefore(a,n?n.nextSibling:t.firstChild),a}function uG(e,t){return e.parentNode&&e.parentNode.childNodes.length>1&&e.previousSibling!=t}var ha=null,
cn=null,lG={group(e,t,n){let r=ha=t.childNodes[2];cn=r.__values__,e.foreground(mf,n,this),cn=t.__values__,ha=t.childNodes[1],e.content(mf,n,this);let i=ha=t.childNodes[0];
e.background(mf,n,this);let a=n.mark.interactive===!1?"none":null;if(a!==cn.events&&(wn(r,"pointer-events",a),wn(i,"pointer-events",a),cn.events=a),n.strokeForeground&&
n.stroke){let o=n.fill;wn(r,"display",null),this.style(i,n),wn(i,"stroke",null),o&&(n.fill=null),cn=r.__values__,this.style(r,n),o&&(n.fill=o),ha=null}else wn(r,
"display","none")},image(e,t,n){n.smooth===!1?(K0(t,"image-rendering","optimizeSpeed"),K0(t,"image-rendering","pixelated")):K0(t,"image-rendering",null)},text(e,t,n){
let r=Cf(n),i,a,o,s;R(r)?(a=r.map(u=>Ao(n,u)),i=a.join(`
`),i!==cn.text&&(Ur(t,0),o=t.ownerDocument,s=$s(n),a.forEach((u,l)=>{let c=Ms(o,"tspan",Mt);c.__data__=n,c.textContent=u,l&&(c.setAttribute("x",0),c.setAttribute(
"dy",s)),t.appendChild(c)}),cn.text=i)):(a=Ao(n,r),a!==cn.text&&(t.textContent=a,cn.text=a)),wn(t,"font-family",wp(n)),wn(t,"font-size",ga(n)+"px"),wn(t,"font-s\
tyle",n.fontStyle),wn(t,"font-variant",n.fontVariant),wn(t,"font-weight",n.fontWeight)}};function mf(e,t,n){t!==cn[e]&&(n?cG(ha,e,t,n):wn(ha,e,t),cn[e]=t)}function K0(e,t,n){
n!==cn[t]&&(n==null?e.style.removeProperty(t):e.style.setProperty(t,n+""),cn[t]=n)}function xo(e,t){for(let n in t)wn(e,n,t[n])}function wn(e,t,n){n!=null?e.setAttribute(
t,n):e.removeAttribute(t)}function cG(e,t,n,r){n!=null?e.setAttributeNS(r,t,n):e.removeAttributeNS(r,t)}function Xk(){let e;return typeof window>"u"?"":(e=window.
location).hash?e.href.slice(0,-e.hash.length):e.href}var a2=class extends sl{constructor(t){super(t),this._text=null,this._defs={gradient:{},clipping:{}}}svg(){
return this._text}_render(t){let n=Hk();n.open("svg",oe({},xf,{class:"marks",width:this._width*this._scale,height:this._height*this._scale,viewBox:`0 0 ${this._width}\
 ${this._height}`}));let r=this._bgcolor;return r&&r!=="transparent"&&r!=="none"&&n.open("rect",{width:this._width,height:this._height,fill:r}).close(),n.open("\
g",Vk,{transform:"translate("+this._origin+")"}),this.mark(n,t),n.close(),this.defs(n),this._text=n.close()+"",this}mark(t,n){let r=Un[n.marktype],i=r.tag,a=[qk,
r.attr];t.open("g",{class:Tk(n),"clip-path":n.clip?l2(this,n,n.group):null},jk(n),{"pointer-events":i!=="g"&&n.interactive===!1?"none":null});let o=s=>{let u=this.
href(s);if(u&&t.open("a",u),t.open(i,this.attr(n,s,a,i!=="g"?i:null)),i==="text"){let l=Cf(s);if(R(l)){let c={x:0,dy:$s(s)};for(let f=0;f<l.length;++f)t.open("t\
span",f?c:null).text(Ao(s,l[f])).close()}else t.text(Ao(s,l))}else if(i==="g"){let l=s.strokeForeground,c=s.fill,f=s.stroke;l&&f&&(s.stroke=null),t.open("path",
this.attr(n,s,r.background,"bgrect")).close(),t.open("g",this.attr(n,s,r.content)),Mi(s,d=>this.mark(t,d)),t.close(),l&&f?(c&&(s.fill=null),s.stroke=f,t.open("p\
ath",this.attr(n,s,r.foreground,"bgrect")).close(),c&&(s.fill=c)):t.open("path",this.attr(n,s,r.foreground,"bgfore")).close()}t.close(),u&&t.close()};return r.nested?
n.items&&n.items.length&&o(n.items[0]):Mi(n,o),t.close()}href(t){let n=t.href,r;if(n){if(r=this._hrefs&&this._hrefs[n])return r;this.sanitizeURL(n).then(i=>{i["\
xlink:href"]=i.href,i.href=null,(this._hrefs||(this._hrefs={}))[n]=i})}return null}attr(t,n,r,i){let a={},o=(s,u,l,c)=>{a[c||s]=u};return Array.isArray(r)?r.forEach(
s=>s(o,n,this)):r(o,n,this),i&&fG(a,n,t,i,this._defs),a}defs(t){let n=this._defs.gradient,r=this._defs.clipping;if(Object.keys(n).length+Object.keys(r).length!==
0){t.open("defs");for(let a in n){let o=n[a],s=o.stops;o.gradient==="radial"?(t.open("pattern",{id:Q0+a,viewBox:"0,0,1,1",width:"100%",height:"100%",preserveAspectRatio:"\
xMidYMid slice"}),t.open("rect",{width:"1",height:"1",fill:"url(#"+a+")"}).close(),t.close(),t.open("radialGradient",{id:a,fx:o.x1,fy:o.y1,fr:o.r1,cx:o.x2,cy:o.
y2,r:o.r2})):t.open("linearGradient",{id:a,x1:o.x1,x2:o.x2,y1:o.y1,y2:o.y2});for(let u=0;u<s.length;++u)t.open("stop",{offset:s[u].offset,"stop-color":s[u].color}).
close();t.close()}for(let a in r){let o=r[a];t.open("clipPath",{id:a}),o.path?t.open("path",{d:o.path}).close():t.open("rect",{x:0,y:0,width:o.width,height:o.height}).
close(),t.close()}t.close()}}};function fG(e,t,n,r,i){let a;if(t==null||(r==="bgrect"&&n.interactive===!1&&(e["pointer-events"]="none"),r==="bgfore"&&(n.interactive===
!1&&(e["pointer-events"]="none"),e.display="none",t.fill!==null)))return e;r==="image"&&t.smooth===!1&&(a=["image-rendering: optimizeSpeed;","image-rendering: p\
ixelated;"]),r==="text"&&(e["font-family"]=wp(t),e["font-size"]=ga(t)+"px",e["font-style"]=t.fontStyle,e["font-variant"]=t.fontVariant,e["font-weight"]=t.fontWeight);
for(let o in up){let s=t[o],u=up[o];s==="transparent"&&(u==="fill"||u==="stroke")||s!=null&&(s2(s)&&(s=dk(s,i.gradient,"")),e[u]=s)}for(let o in lp){let s=t[o];
s!=null&&(a=a||[],a.push(`${lp[o]}: ${s};`))}return a&&(e.style=a.join(" ")),e}var yo={svgMarkTypes:["text"],svgOnTop:!0,debug:!1};var fp=class extends sl{constructor(t){super(t),this._svgRenderer=new cp(t),this._canvasRenderer=new vf(t)}initialize(t,n,r,i,a){this._root_el=zt(t,0,"div");let o=zt(
this._root_el,0,"div"),s=zt(this._root_el,1,"div");return this._root_el.style.position="relative",yo.debug||(o.style.height="100%",s.style.position="absolute",s.
style.top="0",s.style.left="0",s.style.height="100%",s.style.width="100%"),this._svgEl=yo.svgOnTop?s:o,this._canvasEl=yo.svgOnTop?o:s,this._svgEl.style.pointerEvents=
"none",this._canvasRenderer.initialize(this._canvasEl,n,r,i,a),this._svgRenderer.initialize(this._svgEl,n,r,i,a),super.initialize(t,n,r,i,a)}dirty(t){return yo.
svgMarkTypes.includes(t.mark.marktype)?this._svgRenderer.dirty(t):this._canvasRenderer.dirty(t),this}_render(t,n){let i=(n??["arc","area","image","line","path",
"rect","rule","shape","symbol","text","trail"]).filter(a=>!yo.svgMarkTypes.includes(a));this._svgRenderer.render(t,yo.svgMarkTypes),this._canvasRenderer.render(
t,i)}resize(t,n,r,i){return super.resize(t,n,r,i),this._svgRenderer.resize(t,n,r,i),this._canvasRenderer.resize(t,n,r,i),this}background(t){return yo.svgOnTop?this.
_canvasRenderer.background(t):this._svgRenderer.background(t),this}},o2=class extends Ts{constructor(t,n){super(t,n)}initialize(t,n,r){let i=zt(zt(t,0,"div"),yo.
svgOnTop?0:1,"div");return super.initialize(i,n,r)}},Kk="canvas",Qk="hybrid",Zk="png",Jk="svg",e4="none",Eo={Canvas:Kk,PNG:Zk,SVG:Jk,Hybrid:Qk,None:e4},Rs={};Rs[Kk]=
Rs[Zk]={renderer:vf,headless:vf,handler:Ts};Rs[Jk]={renderer:cp,headless:a2,handler:i2};Rs[Qk]={renderer:fp,headless:fp,handler:o2};Rs[e4]={};function Sp(e,t){return e=
String(e||"").toLowerCase(),arguments.length>1?(Rs[e]=t,this):Rs[e]}function t4(e,t,n){let r=[],i=new bt().union(t),a=e.marktype;return a?n4(e,i,n,r):a==="group"?
r4(e,i,n,r):D("Intersect scene must be mark node or group item.")}function n4(e,t,n,r){if(dG(e,t,n)){let i=e.items,a=e.marktype,o=i.length,s=0;if(a==="group")for(;s<
o;++s)r4(i[s],t,n,r);else for(let u=Un[a].isect;s<o;++s){let l=i[s];i4(l,t,u)&&r.push(l)}}return r}function dG(e,t,n){return e.bounds&&t.intersects(e.bounds)&&(e.
marktype==="group"||e.interactive!==!1&&(!n||n(e)))}function r4(e,t,n,r){n&&n(e.mark)&&i4(e,t,Un.group.isect)&&r.push(e);let i=e.items,a=i&&i.length;if(a){let o=e.
x||0,s=e.y||0;t.translate(-o,-s);for(let u=0;u<a;++u)n4(i[u],t,n,r);t.translate(o,s)}return r}function i4(e,t,n){let r=e.bounds;return t.encloses(r)||t.intersects(
r)&&n(e,t)}var Yx=new bt;function a4(e){let t=e.clip;if(ae(t))t(yp(Yx.clear()));else if(t)Yx.set(0,0,e.group.width,e.group.height);else return;e.bounds.intersect(
Yx)}var fl="top",qr="left",jr="right",_o="bottom",hG="top-left",pG="top-right",gG="bottom-left",mG="bottom-right",M2="start",k2="middle",An="end",yG="x",bG="y",kf="\
group",o4="bounds",D2="axis",$2="title",xG="frame",vG="scope",T2="legend",m4="row-header",y4="row-footer",b4="row-title",x4="column-header",v4="column-footer",w4="\
column-title",wG="padding",AG="symbol",A4="fit",E4="fit-x",S4="fit-y",EG="pad",R2="none",Cp="all",F2="each",O2="flush",So="column",Co="row";function C4(e){T.call(
this,null,e)}z(C4,T,{transform(e,t){let n=t.dataflow,r=e.mark,i=r.marktype,a=Un[i],o=a.bound,s=r.bounds,u;if(a.nested)r.items.length&&n.dirty(r.items[0]),s=_p(r,
o),r.items.forEach(l=>{l.bounds.clear().union(s)});else if(i===kf||e.modified())switch(t.visit(t.MOD,l=>n.dirty(l)),s.clear(),r.items.forEach(l=>s.union(_p(l,o))),
r.role){case D2:case T2:case $2:t.reflow()}else u=t.changed(t.REM),t.visit(t.ADD,l=>{s.union(_p(l,o))}),t.visit(t.MOD,l=>{u=u||s.alignsWith(l.bounds),n.dirty(l),
s.union(_p(l,o))}),u&&(s.clear(),r.items.forEach(l=>s.union(l.bounds)));return a4(r),t.modifies("bounds")}});function _p(e,t,n){return t(e.bounds.clear(),e,n)}var s4="\
:vega_identifier:";function N2(e){T.call(this,0,e)}N2.Definition={type:"Identifier",metadata:{modifies:!0},params:[{name:"as",type:"string",required:!0}]};z(N2,
T,{transform(e,t){let n=SG(t.dataflow),r=e.as,i=n.value;return t.visit(t.ADD,a=>a[r]=a[r]||++i),n.set(this.value=i),t}});function SG(e){return e._signals[s4]||(e.
_signals[s4]=e.add(0))}function _4(e){T.call(this,null,e)}z(_4,T,{transform(e,t){let n=this.value;n||(n=t.dataflow.scenegraph().mark(e.markdef,CG(e),e.index),n.
group.context=e.context,e.context.group||(e.context.group=n.group),n.source=this.source,n.clip=e.clip,n.interactive=e.interactive,this.value=n);let r=n.marktype===
kf?gp:pp;return t.visit(t.ADD,i=>r.call(i,n)),(e.modified("clip")||e.modified("interactive"))&&(n.clip=e.clip,n.interactive=!!e.interactive,n.zdirty=!0,t.reflow()),
n.items=t.source,t}});function CG(e){let t=e.groups,n=e.parent;return t&&t.size===1?t.get(Object.keys(t.object)[0]):t&&n?t.lookup(n):null}function k4(e){T.call(
this,null,e)}var u4={parity:e=>e.filter((t,n)=>n%2?t.opacity=0:1),greedy:(e,t)=>{let n;return e.filter((r,i)=>!i||!F4(n.bounds,r.bounds,t)?(n=r,1):r.opacity=0)}},
F4=(e,t,n)=>n>Math.max(t.x1-e.x2,e.x1-t.x2,t.y1-e.y2,e.y1-t.y2),l4=(e,t)=>{for(var n=1,r=e.length,i=e[0].bounds,a;n<r;i=a,++n)if(F4(i,a=e[n].bounds,t))return!0},
_G=e=>{let t=e.bounds;return t.width()>1&&t.height()>1},kG=(e,t,n)=>{var r=e.range(),i=new bt;return t===fl||t===_o?i.set(r[0],-1/0,r[1],1/0):i.set(-1/0,r[0],1/0,
r[1]),i.expand(n||1),a=>i.encloses(a.bounds)},c4=e=>(e.forEach(t=>t.opacity=1),e),f4=(e,t)=>e.reflow(t.modified()).modifies("opacity");z(k4,T,{transform(e,t){let n=u4[e.
method]||u4.parity,r=e.separation||0,i=t.materialize(t.SOURCE).source,a,o;if(!i||!i.length)return;if(!e.method)return e.modified("method")&&(c4(i),t=f4(t,e)),t;
if(i=i.filter(_G),!i.length)return;if(e.sort&&(i=i.slice().sort(e.sort)),a=c4(i),t=f4(t,e),a.length>=3&&l4(a,r)){do a=n(a,r);while(a.length>=3&&l4(a,r));a.length<
3&&!fe(i).opacity&&(a.length>1&&(fe(a).opacity=0),fe(i).opacity=1)}e.boundScale&&e.boundTolerance>=0&&(o=kG(e.boundScale,e.boundOrient,+e.boundTolerance),i.forEach(
u=>{o(u)||(u.opacity=0)}));let s=a[0].mark.bounds.clear();return i.forEach(u=>{u.opacity&&s.union(u.bounds)}),t}});function M4(e){T.call(this,null,e)}z(M4,T,{transform(e,t){
let n=t.dataflow;if(t.visit(t.ALL,r=>n.dirty(r)),t.fields&&t.fields.zindex){let r=t.source&&t.source[0];r&&(r.mark.zdirty=!0)}}});var fn=new bt;function cl(e,t,n){
return e[t]===n?0:(e[t]=n,1)}function FG(e){var t=e.items[0].orient;return t===qr||t===jr}function MG(e){let t=+e.grid;return[e.ticks?t++:-1,e.labels?t++:-1,t+ +e.
domain]}function DG(e,t,n,r){var i=t.items[0],a=i.datum,o=i.translate!=null?i.translate:.5,s=i.orient,u=MG(a),l=i.range,c=i.offset,f=i.position,d=i.minExtent,h=i.
maxExtent,p=a.title&&i.items[u[2]].items[0],g=i.titlePadding,m=i.bounds,y=p&&x2(p),b=0,x=0,v,w;switch(fn.clear().union(m),m.clear(),(v=u[0])>-1&&m.union(i.items[v].
bounds),(v=u[1])>-1&&m.union(i.items[v].bounds),s){case fl:b=f||0,x=-c,w=Math.max(d,Math.min(h,-m.y1)),m.add(0,-w).add(l,0),p&&kp(e,p,w,g,y,0,-1,m);break;case qr:
b=-c,x=f||0,w=Math.max(d,Math.min(h,-m.x1)),m.add(-w,0).add(0,l),p&&kp(e,p,w,g,y,1,-1,m);break;case jr:b=n+c,x=f||0,w=Math.max(d,Math.min(h,m.x2)),m.add(0,0).add(
w,l),p&&kp(e,p,w,g,y,1,1,m);break;case _o:b=f||0,x=r+c,w=Math.max(d,Math.min(h,m.y2)),m.add(0,0).add(l,w),p&&kp(e,p,w,g,0,0,1,m);break;default:b=i.x,x=i.y}return pa(
m.translate(b,x),i),cl(i,"x",b+o)|cl(i,"y",x+o)&&(i.bounds=fn,e.dirty(i),i.bounds=m,e.dirty(i)),i.mark.bounds.clear().union(m)}function kp(e,t,n,r,i,a,o,s){let u=t.
bounds;if(t.auto){let l=o*(n+i+r),c=0,f=0;e.dirty(t),a?c=(t.x||0)-(t.x=l):f=(t.y||0)-(t.y=l),t.mark.bounds.clear().union(u.translate(-c,-f)),e.dirty(t)}s.union(
u)}var d4=(e,t)=>Math.floor(Math.min(e,t)),h4=(e,t)=>Math.ceil(Math.max(e,t));function $G(e){var t=e.items,n=t.length,r=0,i,a;let o={marks:[],rowheaders:[],rowfooters:[],
colheaders:[],colfooters:[],rowtitle:null,coltitle:null};for(;r<n;++r)if(i=t[r],a=i.items,i.marktype===kf)switch(i.role){case D2:case T2:case $2:break;case m4:o.
rowheaders.push(...a);break;case y4:o.rowfooters.push(...a);break;case x4:o.colheaders.push(...a);break;case v4:o.colfooters.push(...a);break;case b4:o.rowtitle=
a[0];break;case w4:o.coltitle=a[0];break;default:o.marks.push(...a)}return o}function TG(e){return new bt().set(0,0,e.width||0,e.height||0)}function RG(e){let t=e.
bounds.clone();return t.empty()?t.set(0,0,0,0):t.translate(-(e.x||0),-(e.y||0))}function Je(e,t,n){let r=V(e)?e[t]:e;return r??(n!==void 0?n:0)}function p4(e){return e<
0?Math.ceil(-e):0}function D4(e,t,n){var r=!n.nodirty,i=n.bounds===O2?TG:RG,a=fn.set(0,0,0,0),o=Je(n.align,So),s=Je(n.align,Co),u=Je(n.padding,So),l=Je(n.padding,
Co),c=n.columns||t.length,f=c<=0?1:Math.ceil(t.length/c),d=t.length,h=Array(d),p=Array(c),g=0,m=Array(d),y=Array(f),b=0,x=Array(d),v=Array(d),w=Array(d),E,A,S,C,
_,k,M,$,O,F,P;for(A=0;A<c;++A)p[A]=0;for(A=0;A<f;++A)y[A]=0;for(A=0;A<d;++A)k=t[A],_=w[A]=i(k),k.x=k.x||0,x[A]=0,k.y=k.y||0,v[A]=0,S=A%c,C=~~(A/c),g=Math.max(g,
M=Math.ceil(_.x2)),b=Math.max(b,$=Math.ceil(_.y2)),p[S]=Math.max(p[S],M),y[C]=Math.max(y[C],$),h[A]=u+p4(_.x1),m[A]=l+p4(_.y1),r&&e.dirty(t[A]);for(A=0;A<d;++A)
A%c===0&&(h[A]=0),A<c&&(m[A]=0);if(o===F2)for(S=1;S<c;++S){for(P=0,A=S;A<d;A+=c)P<h[A]&&(P=h[A]);for(A=S;A<d;A+=c)h[A]=P+p[S-1]}else if(o===Cp){for(P=0,A=0;A<d;++A)
A%c&&P<h[A]&&(P=h[A]);for(A=0;A<d;++A)A%c&&(h[A]=P+g)}else for(o=!1,S=1;S<c;++S)for(A=S;A<d;A+=c)h[A]+=p[S-1];if(s===F2)for(C=1;C<f;++C){for(P=0,A=C*c,E=A+c;A<E;++A)
P<m[A]&&(P=m[A]);for(A=C*c;A<E;++A)m[A]=P+y[C-1]}else if(s===Cp){for(P=0,A=c;A<d;++A)P<m[A]&&(P=m[A]);for(A=c;A<d;++A)m[A]=P+b}else for(s=!1,C=1;C<f;++C)for(A=C*
c,E=A+c;A<E;++A)m[A]+=y[C-1];for(O=0,A=0;A<d;++A)O=h[A]+(A%c?O:0),x[A]+=O-t[A].x;for(S=0;S<c;++S)for(F=0,A=S;A<d;A+=c)F+=m[A],v[A]+=F-t[A].y;if(o&&Je(n.center,So)&&
f>1)for(A=0;A<d;++A)_=o===Cp?g:p[A%c],O=_-w[A].x2-t[A].x-x[A],O>0&&(x[A]+=O/2);if(s&&Je(n.center,Co)&&c!==1)for(A=0;A<d;++A)_=s===Cp?b:y[~~(A/c)],F=_-w[A].y2-t[A].
y-v[A],F>0&&(v[A]+=F/2);for(A=0;A<d;++A)a.union(w[A].translate(x[A],v[A]));switch(O=Je(n.anchor,yG),F=Je(n.anchor,bG),Je(n.anchor,So)){case An:O-=a.width();break;case k2:
O-=a.width()/2}switch(Je(n.anchor,Co)){case An:F-=a.height();break;case k2:F-=a.height()/2}for(O=Math.round(O),F=Math.round(F),a.clear(),A=0;A<d;++A)t[A].mark.bounds.
clear();for(A=0;A<d;++A)k=t[A],k.x+=x[A]+=O,k.y+=v[A]+=F,a.union(k.mark.bounds.union(k.bounds.translate(x[A],v[A]))),r&&e.dirty(k);return a}function OG(e,t,n){var r=$G(
t),i=r.marks,a=n.bounds===O2?NG:BG,o=n.offset,s=n.columns||i.length,u=s<=0?1:Math.ceil(i.length/s),l=u*s,c,f,d,h,p,g,m;let y=D4(e,i,n);y.empty()&&y.set(0,0,0,0),
r.rowheaders&&(g=Je(n.headerBand,Co,null),c=Fp(e,r.rowheaders,i,s,u,-Je(o,"rowHeader"),d4,0,a,"x1",0,s,1,g)),r.colheaders&&(g=Je(n.headerBand,So,null),f=Fp(e,r.
colheaders,i,s,s,-Je(o,"columnHeader"),d4,1,a,"y1",0,1,s,g)),r.rowfooters&&(g=Je(n.footerBand,Co,null),d=Fp(e,r.rowfooters,i,s,u,Je(o,"rowFooter"),h4,0,a,"x2",s-
1,s,1,g)),r.colfooters&&(g=Je(n.footerBand,So,null),h=Fp(e,r.colfooters,i,s,s,Je(o,"columnFooter"),h4,1,a,"y2",l-s,1,s,g)),r.rowtitle&&(p=Je(n.titleAnchor,Co),m=
Je(o,"rowTitle"),m=p===An?d+m:c-m,g=Je(n.titleBand,Co,.5),g4(e,r.rowtitle,m,0,y,g)),r.coltitle&&(p=Je(n.titleAnchor,So),m=Je(o,"columnTitle"),m=p===An?h+m:f-m,g=
Je(n.titleBand,So,.5),g4(e,r.coltitle,m,1,y,g))}function NG(e,t){return t==="x1"?e.x||0:t==="y1"?e.y||0:t==="x2"?(e.x||0)+(e.width||0):t==="y2"?(e.y||0)+(e.height||
0):void 0}function BG(e,t){return e.bounds[t]}function Fp(e,t,n,r,i,a,o,s,u,l,c,f,d,h){var p=n.length,g=0,m=0,y,b,x,v,w,E,A,S,C;if(!p)return g;for(y=c;y<p;y+=f)
n[y]&&(g=o(g,u(n[y],l)));if(!t.length)return g;for(t.length>i&&(e.warn("Grid headers exceed limit: "+i),t=t.slice(0,i)),g+=a,b=0,v=t.length;b<v;++b)e.dirty(t[b]),
t[b].mark.bounds.clear();for(y=c,b=0,v=t.length;b<v;++b,y+=f){for(E=t[b],w=E.mark.bounds,x=y;x>=0&&(A=n[x])==null;x-=d);s?(S=h==null?A.x:Math.round(A.bounds.x1+
h*A.bounds.width()),C=g):(S=g,C=h==null?A.y:Math.round(A.bounds.y1+h*A.bounds.height())),w.union(E.bounds.translate(S-(E.x||0),C-(E.y||0))),E.x=S,E.y=C,e.dirty(
E),m=o(m,w[l])}return m}function g4(e,t,n,r,i,a){if(t){e.dirty(t);var o=n,s=n;r?o=Math.round(i.x1+a*i.width()):s=Math.round(i.y1+a*i.height()),t.bounds.translate(
o-(t.x||0),s-(t.y||0)),t.mark.bounds.clear().union(t.bounds),t.x=o,t.y=s,e.dirty(t)}}function PG(e,t){let n=e[t]||{};return(r,i)=>n[r]!=null?n[r]:e[r]!=null?e[r]:
i}function IG(e,t){let n=-1/0;return e.forEach(r=>{r.offset!=null&&(n=Math.max(n,r.offset))}),n>-1/0?n:t}function zG(e,t,n,r,i,a,o){let s=PG(n,t),u=IG(e,s("offs\
et",0)),l=s("anchor",M2),c=s("frame",kf),f=l===An?1:l===k2?.5:0,d=c===o4?r.x1+f*r.width():f*(a||i.width()+2*i.x1),h=c===o4?i.y1+f*i.height():f*(o||r.height()+2*
r.y1),p={align:F2,bounds:s("bounds",O2),columns:s("direction")==="vertical"?1:e.length,padding:s("margin",8),center:s("center"),nodirty:!0};switch(t){case qr:p.
anchor={x:Math.floor(r.x1)-u,column:An,y:h,row:l};break;case jr:p.anchor={x:Math.ceil(r.x2)+u,y:h,row:l};break;case fl:p.anchor={y:Math.floor(i.y1)-u,row:An,x:d,
column:l};break;case _o:p.anchor={y:Math.ceil(i.y2)+u,x:d,column:l};break;case hG:p.anchor={x:u,y:u};break;case pG:p.anchor={x:a-u,y:u,column:An};break;case gG:
p.anchor={x:u,y:o-u,row:An};break;case mG:p.anchor={x:a-u,y:o-u,column:An,row:An};break}return p}function LG(e,t){var n=t.items[0],r=n.datum,i=n.orient,a=n.bounds,
o=n.x,s=n.y,u,l;return n._bounds?n._bounds.clear().union(a):n._bounds=a.clone(),a.clear(),qG(e,n,n.items[0].items[0]),a=UG(n,a),u=2*n.padding,l=2*n.padding,a.empty()||
(u=Math.ceil(a.width()+u),l=Math.ceil(a.height()+l)),r.type===AG&&jG(n.items[0].items[0].items[0].items),i!==R2&&(n.x=o=0,n.y=s=0),n.width=u,n.height=l,pa(a.set(
o,s,o+u,s+l),n),n.mark.bounds.clear().union(a),n}function UG(e,t){return e.items.forEach(n=>t.union(n.bounds)),t.empty()&&(t.x2=e.padding,t.y2=e.padding),t.x1=e.
padding,t.y1=e.padding,t}function qG(e,t,n){var r=t.padding,i=r-n.x,a=r-n.y;if(!t.datum.title)(i||a)&&_f(e,n,i,a);else{var o=t.items[1].items[0],s=o.anchor,u=t.
titlePadding||0,l=r-o.x,c=r-o.y;switch(o.orient){case qr:i+=Math.ceil(o.bounds.width())+u;break;case jr:case _o:break;default:a+=o.bounds.height()+u}switch((i||
a)&&_f(e,n,i,a),o.orient){case qr:c+=ll(t,n,o,s,1,1);break;case jr:l+=ll(t,n,o,An,0,0)+u,c+=ll(t,n,o,s,1,1);break;case _o:l+=ll(t,n,o,s,0,0),c+=ll(t,n,o,An,-1,0,
1)+u;break;default:l+=ll(t,n,o,s,0,0)}(l||c)&&_f(e,o,l,c),(l=Math.round(o.bounds.x1-r))<0&&(_f(e,n,-l,0),_f(e,o,-l,0))}}function ll(e,t,n,r,i,a,o){let s=e.datum.
type!=="symbol",u=n.datum.vgrad,l=s&&(a||!u)&&!o?t.items[0]:t,c=l.bounds[i?"y2":"x2"]-e.padding,f=u&&a?c:0,d=u&&a?0:c,h=i<=0?0:x2(n);return Math.round(r===M2?f:
r===An?d-h:.5*(c-h))}function _f(e,t,n,r){t.x+=n,t.y+=r,t.bounds.translate(n,r),t.mark.bounds.translate(n,r),e.dirty(t)}function jG(e){let t=e.reduce((n,r)=>(n[r.
column]=Math.max(r.bounds.x2-r.x,n[r.column]||0),n),{});e.forEach(n=>{n.width=t[n.column],n.height=n.bounds.y2-n.y})}function WG(e,t,n,r,i){var a=t.items[0],o=a.
frame,s=a.orient,u=a.anchor,l=a.offset,c=a.padding,f=a.items[0].items[0],d=a.items[1]&&a.items[1].items[0],h=s===qr||s===jr?r:n,p=0,g=0,m=0,y=0,b=0,x;if(o!==kf?
s===qr?(p=i.y2,h=i.y1):s===jr?(p=i.y1,h=i.y2):(p=i.x1,h=i.x2):s===qr&&(p=r,h=0),x=u===M2?p:u===An?h:(p+h)/2,d&&d.text){switch(s){case fl:case _o:b=f.bounds.height()+
c;break;case qr:y=f.bounds.width()+c;break;case jr:y=-f.bounds.width()-c;break}fn.clear().union(d.bounds),fn.translate(y-(d.x||0),b-(d.y||0)),cl(d,"x",y)|cl(d,"\
y",b)&&(e.dirty(d),d.bounds.clear().union(fn),d.mark.bounds.clear().union(fn),e.dirty(d)),fn.clear().union(d.bounds)}else fn.clear();switch(fn.union(f.bounds),s){case fl:
g=x,m=i.y1-fn.height()-l;break;case qr:g=i.x1-fn.width()-l,m=x;break;case jr:g=i.x2+fn.width()+l,m=x;break;case _o:g=x,m=i.y2+l;break;default:g=a.x,m=a.y}return cl(
a,"x",g)|cl(a,"y",m)&&(fn.translate(g,m),e.dirty(a),a.bounds.clear().union(fn),t.bounds.clear().union(fn),e.dirty(a)),a.bounds}function $4(e){T.call(this,null,e)}
z($4,T,{transform(e,t){let n=t.dataflow;return e.mark.items.forEach(r=>{e.layout&&OG(n,r,e.layout),HG(n,r,e)}),GG(e.mark.group)?t.reflow():t}});function GG(e){return e&&
e.mark.role!=="legend-entry"}function HG(e,t,n){var r=t.items,i=Math.max(0,t.width||0),a=Math.max(0,t.height||0),o=new bt().set(0,0,i,a),s=o.clone(),u=o.clone(),
l=[],c,f,d,h,p,g;for(p=0,g=r.length;p<g;++p)switch(f=r[p],f.role){case D2:h=FG(f)?s:u,h.union(DG(e,f,i,a));break;case $2:c=f;break;case T2:l.push(LG(e,f));break;case xG:case vG:case m4:case y4:case b4:case x4:case v4:case w4:
s.union(f.bounds),u.union(f.bounds);break;default:o.union(f.bounds)}if(l.length){let m={};l.forEach(y=>{d=y.orient||jr,d!==R2&&(m[d]||(m[d]=[])).push(y)});for(let y in m){
let b=m[y];D4(e,b,zG(b,y,n.legends,s,u,i,a))}l.forEach(y=>{let b=y.bounds;if(b.equals(y._bounds)||(y.bounds=y._bounds,e.dirty(y),y.bounds=b,e.dirty(y)),n.autosize&&
(n.autosize.type===A4||n.autosize.type===E4||n.autosize.type===S4))switch(y.orient){case qr:case jr:o.add(b.x1,0).add(b.x2,0);break;case fl:case _o:o.add(0,b.y1).
add(0,b.y2)}else o.union(b)})}o.union(s).union(u),c&&o.union(WG(e,c,i,a,o)),t.clip&&o.set(0,0,t.width||0,t.height||0),YG(e,t,o,n)}function YG(e,t,n,r){let i=r.autosize||
{},a=i.type;if(e._autosize<1||!a)return;let o=e._width,s=e._height,u=Math.max(0,t.width||0),l=Math.max(0,Math.ceil(-n.x1)),c=Math.max(0,t.height||0),f=Math.max(
0,Math.ceil(-n.y1)),d=Math.max(0,Math.ceil(n.x2-u)),h=Math.max(0,Math.ceil(n.y2-c));if(i.contains===wG){let p=e.padding();o-=p.left+p.right,s-=p.top+p.bottom}a===
R2?(l=0,f=0,u=o,c=s):a===A4?(u=Math.max(0,o-l-d),c=Math.max(0,s-f-h)):a===E4?(u=Math.max(0,o-l-d),s=c+f+h):a===S4?(o=u+l+d,c=Math.max(0,s-f-h)):a===EG&&(o=u+l+d,
s=c+f+h),e._resizeView(o,s,u,c,[l,f],i.resize)}var U2={};gr(U2,{axisticks:()=>B4,datajoin:()=>P4,encode:()=>I4,legendentries:()=>z4,linkpath:()=>I2,pie:()=>z2,scale:()=>W4,sortitems:()=>H4,stack:()=>L2});function B4(e){T.call(this,null,e)}z(B4,T,{transform(e,t){if(this.value&&!e.modified())return t.StopPropagation;var n=t.dataflow.locale(),r=t.fork(t.NO_SOURCE|t.
NO_FIELDS),i=this.value,a=e.scale,o=e.count==null?e.values?e.values.length:10:e.count,s=L0(a,o,e.minstep),u=e.format||Px(n,a,s,e.formatSpecifier,e.formatType,!!e.
values),l=e.values?Bx(a,e.values,s):U0(a,s);return i&&(r.rem=i),i=l.map((c,f)=>Se({index:f/(l.length-1||1),tickIndex:f,value:c,label:u(c)})),e.extra&&i.length&&
i.push(Se({index:-1,tickIndex:-1,extra:{value:i[0].value},label:""})),r.source=i,r.add=i,this.value=i,r}});function P4(e){T.call(this,null,e)}function VG(){return Se(
{})}function XG(e){let t=Ji().test(n=>n.exit);return t.lookup=n=>t.get(e(n)),t}z(P4,T,{transform(e,t){var n=t.dataflow,r=t.fork(t.NO_SOURCE|t.NO_FIELDS),i=e.item||
VG,a=e.key||re,o=this.value;return R(r.encode)&&(r.encode=null),o&&(e.modified("key")||t.modified(a))&&D("DataJoin does not support modified key function or fie\
lds."),o||(t=t.addAll(),this.value=o=XG(a)),t.visit(t.ADD,s=>{let u=a(s),l=o.get(u);l?l.exit?(o.empty--,r.add.push(l)):r.mod.push(l):(l=i(s),o.set(u,l),r.add.push(
l)),l.datum=s,l.exit=!1}),t.visit(t.MOD,s=>{let u=a(s),l=o.get(u);l&&(l.datum=s,r.mod.push(l))}),t.visit(t.REM,s=>{let u=a(s),l=o.get(u);s===l.datum&&!l.exit&&(r.
rem.push(l),l.exit=!0,++o.empty)}),t.changed(t.ADD_MOD)&&r.modifies("datum"),(t.clean()||e.clean&&o.empty>n.cleanThreshold)&&n.runAfter(o.clean),r}});function I4(e){
T.call(this,null,e)}z(I4,T,{transform(e,t){var n=t.fork(t.ADD_REM),r=e.mod||!1,i=e.encoders,a=t.encode;if(R(a))if(n.changed()||a.every(f=>i[f]))a=a[0],n.encode=
null;else return t.StopPropagation;var o=a==="enter",s=i.update||Qi,u=i.enter||Qi,l=i.exit||Qi,c=(a&&!o?i[a]:s)||Qi;if(t.changed(t.ADD)&&(t.visit(t.ADD,f=>{u(f,
e),s(f,e)}),n.modifies(u.output),n.modifies(s.output),c!==Qi&&c!==s&&(t.visit(t.ADD,f=>{c(f,e)}),n.modifies(c.output))),t.changed(t.REM)&&l!==Qi&&(t.visit(t.REM,
f=>{l(f,e)}),n.modifies(l.output)),o||c!==Qi){let f=t.MOD|(e.modified()?t.REFLOW:0);o?(t.visit(f,d=>{let h=u(d,e)||r;(c(d,e)||h)&&n.mod.push(d)}),n.mod.length&&
n.modifies(u.output)):t.visit(f,d=>{(c(d,e)||r)&&n.mod.push(d)}),n.mod.length&&n.modifies(c.output)}return n.changed()?n:t.StopPropagation}});function z4(e){T.call(
this,[],e)}z(z4,T,{transform(e,t){if(this.value!=null&&!e.modified())return t.StopPropagation;var n=t.dataflow.locale(),r=t.fork(t.NO_SOURCE|t.NO_FIELDS),i=this.
value,a=e.type||lf,o=e.scale,s=+e.limit,u=L0(o,e.count==null?5:e.count,e.minstep),l=!!e.values||a===lf,c=e.format||zx(n,o,u,a,e.formatSpecifier,e.formatType,l),
f=e.values||Ix(o,u),d,h,p,g,m;return i&&(r.rem=i),a===lf?(s&&f.length>s?(t.dataflow.warn("Symbol legend count exceeds limit, filtering items."),i=f.slice(0,s-1),
m=!0):i=f,ae(p=e.size)?(!e.values&&o(i[0])===0&&(i=i.slice(1)),g=i.reduce((y,b)=>Math.max(y,p(b,e)),0)):p=Ke(g=p||8),i=i.map((y,b)=>Se({index:b,label:c(y,b,i),value:y,
offset:g,size:p(y,e)})),m&&(m=f[i.length],i.push(Se({index:i.length,label:`\u2026${f.length-i.length} entries`,value:m,offset:g,size:p(m,e)})))):a===P8?(d=o.domain(),
h=P0(o,d[0],fe(d)),f.length<3&&!e.values&&d[0]!==fe(d)&&(f=[d[0],fe(d)]),i=f.map((y,b)=>Se({index:b,label:c(y,b,f),value:y,perc:h(y)}))):(p=f.length-1,h=L8(o),i=
f.map((y,b)=>Se({index:b,label:c(y,b,f),value:y,perc:b?h(y):0,perc2:b===p?1:h(f[b+1])}))),r.source=i,r.add=i,this.value=i,r}});var KG=e=>e.source.x,QG=e=>e.source.
y,ZG=e=>e.target.x,JG=e=>e.target.y;function I2(e){T.call(this,{},e)}I2.Definition={type:"LinkPath",metadata:{modifies:!0},params:[{name:"sourceX",type:"field",
default:"source.x"},{name:"sourceY",type:"field",default:"source.y"},{name:"targetX",type:"field",default:"target.x"},{name:"targetY",type:"field",default:"targ\
et.y"},{name:"orient",type:"enum",default:"vertical",values:["horizontal","vertical","radial"]},{name:"shape",type:"enum",default:"line",values:["line","arc","c\
urve","diagonal","orthogonal"]},{name:"require",type:"signal"},{name:"as",type:"string",default:"path"}]};z(I2,T,{transform(e,t){var n=e.sourceX||KG,r=e.sourceY||
QG,i=e.targetX||ZG,a=e.targetY||JG,o=e.as||"path",s=e.orient||"vertical",u=e.shape||"line",l=T4.get(u+"-"+s)||T4.get(u);return l||D("LinkPath unsupported type: "+
e.shape+(e.orient?"-"+e.orient:"")),t.visit(t.SOURCE,c=>{c[o]=l(n(c),r(c),i(c),a(c))}),t.reflow(e.modified()).modifies(o)}});var L4=(e,t,n,r)=>"M"+e+","+t+"L"+n+
","+r,eH=(e,t,n,r)=>L4(t*Math.cos(e),t*Math.sin(e),r*Math.cos(n),r*Math.sin(n)),U4=(e,t,n,r)=>{var i=n-e,a=r-t,o=Math.hypot(i,a)/2,s=180*Math.atan2(a,i)/Math.PI;
return"M"+e+","+t+"A"+o+","+o+" "+s+" 0 1 "+n+","+r},tH=(e,t,n,r)=>U4(t*Math.cos(e),t*Math.sin(e),r*Math.cos(n),r*Math.sin(n)),q4=(e,t,n,r)=>{let i=n-e,a=r-t,o=.2*
(i+a),s=.2*(a-i);return"M"+e+","+t+"C"+(e+o)+","+(t+s)+" "+(n+s)+","+(r-o)+" "+n+","+r},nH=(e,t,n,r)=>q4(t*Math.cos(e),t*Math.sin(e),r*Math.cos(n),r*Math.sin(n)),
rH=(e,t,n,r)=>"M"+e+","+t+"V"+r+"H"+n,iH=(e,t,n,r)=>"M"+e+","+t+"H"+n+"V"+r,aH=(e,t,n,r)=>{let i=Math.cos(e),a=Math.sin(e),o=Math.cos(n),s=Math.sin(n),u=Math.abs(
n-e)>Math.PI?n<=e:n>e;return"M"+t*i+","+t*a+"A"+t+","+t+" 0 0,"+(u?1:0)+" "+t*o+","+t*s+"L"+r*o+","+r*s},oH=(e,t,n,r)=>{let i=(e+n)/2;return"M"+e+","+t+"C"+i+","+
t+" "+i+","+r+" "+n+","+r},sH=(e,t,n,r)=>{let i=(t+r)/2;return"M"+e+","+t+"C"+e+","+i+" "+n+","+i+" "+n+","+r},uH=(e,t,n,r)=>{let i=Math.cos(e),a=Math.sin(e),o=Math.
cos(n),s=Math.sin(n),u=(t+r)/2;return"M"+t*i+","+t*a+"C"+u*i+","+u*a+" "+u*o+","+u*s+" "+r*o+","+r*s},T4=Ji({line:L4,"line-radial":eH,arc:U4,"arc-radial":tH,curve:q4,
"curve-radial":nH,"orthogonal-horizontal":rH,"orthogonal-vertical":iH,"orthogonal-radial":aH,"diagonal-horizontal":oH,"diagonal-vertical":sH,"diagonal-radial":uH});
function z2(e){T.call(this,null,e)}z2.Definition={type:"Pie",metadata:{modifies:!0},params:[{name:"field",type:"field"},{name:"startAngle",type:"number",default:0},
{name:"endAngle",type:"number",default:6.283185307179586},{name:"sort",type:"boolean",default:!1},{name:"as",type:"string",array:!0,length:2,default:["startAngl\
e","endAngle"]}]};z(z2,T,{transform(e,t){var n=e.as||["startAngle","endAngle"],r=n[0],i=n[1],a=e.field||gi,o=e.startAngle||0,s=e.endAngle!=null?e.endAngle:2*Math.
PI,u=t.source,l=u.map(a),c=l.length,f=o,d=(s-o)/Oh(l),h=St(c),p,g,m;for(e.sort&&h.sort((y,b)=>l[y]-l[b]),p=0;p<c;++p)m=l[h[p]],g=u[h[p]],g[r]=f,g[i]=f+=m*d;return this.
value=l,t.reflow(e.modified()).modifies(n)}});var R4=5;function lH(e){let t=e.type;return!e.bins&&(t===As||t===nl||t===rl)}function j4(e){return sf(e)&&e!==zr}var cH=mt(
["set","modified","clear","type","scheme","schemeExtent","schemeCount","domain","domainMin","domainMid","domainMax","domainRaw","domainImplicit","nice","zero","\
bins","range","rangeStep","round","reverse","interpolate","interpolateGamma"]);function W4(e){T.call(this,null,e),this.modified(!0)}z(W4,T,{transform(e,t){var n=t.
dataflow,r=this.value,i=fH(e);(!r||i!==r.type)&&(this.value=r=Ce(i)());for(i in e)if(!cH[i]){if(i==="padding"&&j4(r.type))continue;ae(r[i])?r[i](e[i]):n.warn("U\
nsupported scale property: "+i)}return yH(r,e,mH(r,e,hH(r,e,n))),t.fork(t.NO_SOURCE|t.NO_FIELDS)}});function fH(e){var t=e.type,n="",r;return t===zr?zr+"-"+As:(dH(
e)&&(r=e.rawDomain?e.rawDomain.length:e.domain?e.domain.length+ +(e.domainMid!=null):0,n=r===2?zr+"-":r===3?Es+"-":""),(n+t||As).toLowerCase())}function dH(e){let t=e.
type;return sf(t)&&t!==ho&&t!==po&&(e.scheme||e.range&&e.range.length&&e.range.every(X))}function hH(e,t,n){let r=pH(e,t.domainRaw,n);if(r>-1)return r;var i=t.domain,
a=e.type,o=t.zero||t.zero===void 0&&lH(e),s,u;if(!i)return 0;if((o||t.domainMin!=null||t.domainMax!=null||t.domainMid!=null)&&(s=(i=i.slice()).length-1||1,o&&(i[0]>
0&&(i[0]=0),i[s]<0&&(i[s]=0)),t.domainMin!=null&&(i[0]=t.domainMin),t.domainMax!=null&&(i[s]=t.domainMax),t.domainMid!=null)){u=t.domainMid;let l=u>i[s]?s+1:u<i[0]?
0:s;l!==s&&n.warn("Scale domainMid exceeds domain min or max.",u),i.splice(l,0,u)}return j4(a)&&t.padding&&i[0]!==fe(i)&&(i=gH(a,i,t.range,t.padding,t.exponent,
t.constant)),e.domain(G4(a,i,n)),a===rf&&e.unknown(t.domainImplicit?Kc:void 0),t.nice&&e.nice&&e.nice(t.nice!==!0&&L0(e,t.nice)||null),i.length}function pH(e,t,n){
return t?(e.domain(G4(e.type,t,n)),t.length):-1}function gH(e,t,n,r,i,a){var o=Math.abs(fe(n)-n[0]),s=o/(o-2*r),u=e===_i?fc(t,null,s):e===rl?Cu(t,null,s,.5):e===
nl?Cu(t,null,s,i||1):e===ef?dc(t,null,s,a||1):cc(t,null,s);return t=t.slice(),t[0]=u[0],t[t.length-1]=u[1],t}function G4(e,t,n){if(B0(e)){var r=Math.abs(t.reduce(
(i,a)=>i+(a<0?-1:a>0?1:0),0));r!==t.length&&n.warn("Log scale domain includes zero: "+I(t))}return t}function mH(e,t,n){let r=t.bins;if(r&&!R(r)){let i=e.domain(),
a=i[0],o=fe(i),s=r.step,u=r.start==null?a:r.start,l=r.stop==null?o:r.stop;s||D("Scale bins parameter missing step property."),u<a&&(u=s*Math.ceil(a/s)),l>o&&(l=
s*Math.floor(o/s)),r=St(u,l+s/2,s)}return r?e.bins=r:e.bins&&delete e.bins,e.type===O0&&(r?!t.domain&&!t.domainRaw&&(e.domain(r),n=r.length):e.bins=e.domain()),
n}function yH(e,t,n){var r=e.type,i=t.round||!1,a=t.range;if(t.rangeStep!=null)a=bH(r,t,n);else if(t.scheme&&(a=xH(r,t,n),ae(a))){if(e.interpolator)return e.interpolator(
a);D(`Scale type ${r} does not support interpolating color schemes.`)}if(a&&Tx(r))return e.interpolator(uf(P2(a,t.reverse),t.interpolate,t.interpolateGamma));a&&
t.interpolate&&e.interpolate?e.interpolate(I0(t.interpolate,t.interpolateGamma)):ae(e.round)?e.round(i):ae(e.rangeRound)&&e.interpolate(i?xs:Si),a&&e.range(P2(a,
t.reverse))}function bH(e,t,n){e!==_x&&e!==R0&&D("Only band and point scales support rangeStep.");var r=(t.paddingOuter!=null?t.paddingOuter:t.padding)||0,i=e===
R0?1:(t.paddingInner!=null?t.paddingInner:t.padding)||0;return[0,t.rangeStep*Jc(n,i,r)]}function xH(e,t,n){var r=t.schemeExtent,i,a;return R(t.scheme)?a=uf(t.scheme,
t.interpolate,t.interpolateGamma):(i=t.scheme.toLowerCase(),a=z0(i),a||D(`Unrecognized scheme name: ${t.scheme}`)),n=e===nf?n+1:e===O0?n-1:e===rf?+t.schemeCount||
n||R4:e===ws||e===tf?+t.schemeCount||R4:n,Tx(e)?O4(a,r,t.reverse):ae(a)?Nx(O4(a,r),n):e===rf?a:a.slice(0,n)}function O4(e,t,n){return ae(e)&&(t||n)?Ox(e,P2(t||[
0,1],n)):e}function P2(e,t){return t?e.slice().reverse():e}function H4(e){T.call(this,null,e)}z(H4,T,{transform(e,t){let n=e.modified("sort")||t.changed(t.ADD)||
t.modified(e.sort.fields)||t.modified("datum");return n&&t.source.sort(wi(e.sort)),this.modified(n),t}});var N4="zero",Y4="center",V4="normalize",X4=["y0","y1"];
function L2(e){T.call(this,null,e)}L2.Definition={type:"Stack",metadata:{modifies:!0},params:[{name:"field",type:"field"},{name:"groupby",type:"field",array:!0},
{name:"sort",type:"compare"},{name:"offset",type:"enum",default:N4,values:[N4,Y4,V4]},{name:"as",type:"string",array:!0,length:2,default:X4}]};z(L2,T,{transform(e,t){
var n=e.as||X4,r=n[0],i=n[1],a=wi(e.sort),o=e.field||gi,s=e.offset===Y4?vH:e.offset===V4?wH:AH,u,l,c,f;for(u=EH(t.source,e.groupby,a,o),l=0,c=u.length,f=u.max;l<
c;++l)s(u[l],f,o,r,i);return t.reflow(e.modified()).modifies(n)}});function vH(e,t,n,r,i){for(var a=(t-e.sum)/2,o=e.length,s=0,u;s<o;++s)u=e[s],u[r]=a,u[i]=a+=Math.
abs(n(u))}function wH(e,t,n,r,i){for(var a=1/e.sum,o=0,s=e.length,u=0,l=0,c;u<s;++u)c=e[u],c[r]=o,c[i]=o=a*(l+=Math.abs(n(c)))}function AH(e,t,n,r,i){for(var a=0,
o=0,s=e.length,u=0,l,c;u<s;++u)c=e[u],l=+n(c),l<0?(c[r]=o,c[i]=o+=l):(c[r]=a,c[i]=a+=l)}function EH(e,t,n,r){var i=[],a=g=>g(c),o,s,u,l,c,f,d,h,p;if(t==null)i.push(
e.slice());else for(o={},s=0,u=e.length;s<u;++s)c=e[s],f=JSON.stringify(t.map(a)),d=o[f],d||(o[f]=d=[],i.push(d)),d.push(c);for(f=0,p=0,l=i.length;f<l;++f){for(d=
i[f],s=0,h=0,u=d.length;s<u;++s)h+=Math.abs(r(d[s]));d.sum=h,h>p&&(p=h),n&&d.sort(n)}return i.max=p,i}var Iv={};gr(Iv,{contour:()=>Dv,geojson:()=>Tv,geopath:()=>Rv,geopoint:()=>Ov,geoshape:()=>Nv,graticule:()=>Bv,heatmap:()=>Pv,isocontour:()=>Fv,kde2d:()=>Mv,projection:()=>NF});var le=1e-6,Bp=1e-12,ve=Math.PI,lt=ve/2,Pp=ve/4,_n=ve*2,xt=180/ve,be=ve/180,_e=Math.abs,ml=Math.atan,Cr=Math.atan2,ce=Math.cos,Mp=Math.ceil,v7=Math.exp,Y2=Math.
hypot,Ip=Math.log,q2=Math.pow,se=Math.sin,Sr=Math.sign||function(e){return e>0?1:e<0?-1:0},kn=Math.sqrt,hv=Math.tan;function w7(e){return e>1?0:e<-1?ve:Math.acos(
e)}function jn(e){return e>1?lt:e<-1?-lt:Math.asin(e)}function Kt(){}function zp(e,t){e&&Q4.hasOwnProperty(e.type)&&Q4[e.type](e,t)}var K4={Feature:function(e,t){zp(e.geometry,t)},FeatureCollection:function(e,t){for(var n=e.
features,r=-1,i=n.length;++r<i;)zp(n[r].geometry,t)}},Q4={Sphere:function(e,t){t.sphere()},Point:function(e,t){e=e.coordinates,t.point(e[0],e[1],e[2])},MultiPoint:function(e,t){
for(var n=e.coordinates,r=-1,i=n.length;++r<i;)e=n[r],t.point(e[0],e[1],e[2])},LineString:function(e,t){V2(e.coordinates,t,0)},MultiLineString:function(e,t){for(var n=e.
coordinates,r=-1,i=n.length;++r<i;)V2(n[r],t,0)},Polygon:function(e,t){Z4(e.coordinates,t)},MultiPolygon:function(e,t){for(var n=e.coordinates,r=-1,i=n.length;++r<
i;)Z4(n[r],t)},GeometryCollection:function(e,t){for(var n=e.geometries,r=-1,i=n.length;++r<i;)zp(n[r],t)}};function V2(e,t,n){var r=-1,i=e.length-n,a;for(t.lineStart();++r<
i;)a=e[r],t.point(a[0],a[1],a[2]);t.lineEnd()}function Z4(e,t){var n=-1,r=e.length;for(t.polygonStart();++n<r;)V2(e[n],t,1);t.polygonEnd()}function ya(e,t){e&&K4.
hasOwnProperty(e.type)?K4[e.type](e,t):zp(e,t)}var Lp=new Nt,Up=new Nt,A7,E7,X2,K2,Q2,Ti={point:Kt,lineStart:Kt,lineEnd:Kt,polygonStart:function(){Lp=new Nt,Ti.
lineStart=SH,Ti.lineEnd=CH},polygonEnd:function(){var e=+Lp;Up.add(e<0?_n+e:e),this.lineStart=this.lineEnd=this.point=Kt},sphere:function(){Up.add(_n)}};function SH(){
Ti.point=_H}function CH(){S7(A7,E7)}function _H(e,t){Ti.point=S7,A7=e,E7=t,e*=be,t*=be,X2=e,K2=ce(t=t/2+Pp),Q2=se(t)}function S7(e,t){e*=be,t*=be,t=t/2+Pp;var n=e-
X2,r=n>=0?1:-1,i=r*n,a=ce(t),o=se(t),s=Q2*o,u=K2*a+s*ce(i),l=s*r*se(i);Lp.add(Cr(l,u)),X2=e,K2=a,Q2=o}function C7(e){return Up=new Nt,ya(e,Ti),Up*2}function qp(e){
return[Cr(e[1],e[0]),jn(e[2])]}function Ns(e){var t=e[0],n=e[1],r=ce(n);return[r*ce(t),r*se(t),se(n)]}function Dp(e,t){return e[0]*t[0]+e[1]*t[1]+e[2]*t[2]}function pl(e,t){
return[e[1]*t[2]-e[2]*t[1],e[2]*t[0]-e[0]*t[2],e[0]*t[1]-e[1]*t[0]]}function j2(e,t){e[0]+=t[0],e[1]+=t[1],e[2]+=t[2]}function $p(e,t){return[e[0]*t,e[1]*t,e[2]*
t]}function jp(e){var t=kn(e[0]*e[0]+e[1]*e[1]+e[2]*e[2]);e[0]/=t,e[1]/=t,e[2]/=t}var nt,qn,ut,lr,Os,_7,k7,hl,Of,ko,xa,ma={point:Z2,lineStart:J4,lineEnd:e7,polygonStart:function(){
ma.point=M7,ma.lineStart=kH,ma.lineEnd=FH,Of=new Nt,Ti.polygonStart()},polygonEnd:function(){Ti.polygonEnd(),ma.point=Z2,ma.lineStart=J4,ma.lineEnd=e7,Lp<0?(nt=
-(ut=180),qn=-(lr=90)):Of>le?lr=90:Of<-le&&(qn=-90),xa[0]=nt,xa[1]=ut},sphere:function(){nt=-(ut=180),qn=-(lr=90)}};function Z2(e,t){ko.push(xa=[nt=e,ut=e]),t<qn&&
(qn=t),t>lr&&(lr=t)}function F7(e,t){var n=Ns([e*be,t*be]);if(hl){var r=pl(hl,n),i=[r[1],-r[0],0],a=pl(i,r);jp(a),a=qp(a);var o=e-Os,s=o>0?1:-1,u=a[0]*xt*s,l,c=_e(
o)>180;c^(s*Os<u&&u<s*e)?(l=a[1]*xt,l>lr&&(lr=l)):(u=(u+360)%360-180,c^(s*Os<u&&u<s*e)?(l=-a[1]*xt,l<qn&&(qn=l)):(t<qn&&(qn=t),t>lr&&(lr=t))),c?e<Os?ur(nt,e)>ur(
nt,ut)&&(ut=e):ur(e,ut)>ur(nt,ut)&&(nt=e):ut>=nt?(e<nt&&(nt=e),e>ut&&(ut=e)):e>Os?ur(nt,e)>ur(nt,ut)&&(ut=e):ur(e,ut)>ur(nt,ut)&&(nt=e)}else ko.push(xa=[nt=e,ut=
e]);t<qn&&(qn=t),t>lr&&(lr=t),hl=n,Os=e}function J4(){ma.point=F7}function e7(){xa[0]=nt,xa[1]=ut,ma.point=Z2,hl=null}function M7(e,t){if(hl){var n=e-Os;Of.add(
_e(n)>180?n+(n>0?360:-360):n)}else _7=e,k7=t;Ti.point(e,t),F7(e,t)}function kH(){Ti.lineStart()}function FH(){M7(_7,k7),Ti.lineEnd(),_e(Of)>le&&(nt=-(ut=180)),xa[0]=
nt,xa[1]=ut,hl=null}function ur(e,t){return(t-=e)<0?t+360:t}function MH(e,t){return e[0]-t[0]}function t7(e,t){return e[0]<=e[1]?e[0]<=t&&t<=e[1]:t<e[0]||e[1]<t}
function D7(e){var t,n,r,i,a,o,s;if(lr=ut=-(nt=qn=1/0),ko=[],ya(e,ma),n=ko.length){for(ko.sort(MH),t=1,r=ko[0],a=[r];t<n;++t)i=ko[t],t7(r,i[0])||t7(r,i[1])?(ur(
r[0],i[1])>ur(r[0],r[1])&&(r[1]=i[1]),ur(i[0],r[1])>ur(r[0],r[1])&&(r[0]=i[0])):a.push(r=i);for(o=-1/0,n=a.length-1,t=0,r=a[n];t<=n;r=i,++t)i=a[t],(s=ur(r[1],i[0]))>
o&&(o=s,nt=i[0],ut=r[1])}return ko=xa=null,nt===1/0||qn===1/0?[[NaN,NaN],[NaN,NaN]]:[[nt,qn],[ut,lr]]}var Ff,Wp,Gp,Hp,Yp,Vp,Xp,Kp,J2,ev,tv,$7,T7,En,Sn,Cn,Wr={sphere:Kt,
point:pv,lineStart:n7,lineEnd:r7,polygonStart:function(){Wr.lineStart=TH,Wr.lineEnd=RH},polygonEnd:function(){Wr.lineStart=n7,Wr.lineEnd=r7}};function pv(e,t){e*=
be,t*=be;var n=ce(t);jf(n*ce(e),n*se(e),se(t))}function jf(e,t,n){++Ff,Gp+=(e-Gp)/Ff,Hp+=(t-Hp)/Ff,Yp+=(n-Yp)/Ff}function n7(){Wr.point=DH}function DH(e,t){e*=be,
t*=be;var n=ce(t);En=n*ce(e),Sn=n*se(e),Cn=se(t),Wr.point=$H,jf(En,Sn,Cn)}function $H(e,t){e*=be,t*=be;var n=ce(t),r=n*ce(e),i=n*se(e),a=se(t),o=Cr(kn((o=Sn*a-Cn*
i)*o+(o=Cn*r-En*a)*o+(o=En*i-Sn*r)*o),En*r+Sn*i+Cn*a);Wp+=o,Vp+=o*(En+(En=r)),Xp+=o*(Sn+(Sn=i)),Kp+=o*(Cn+(Cn=a)),jf(En,Sn,Cn)}function r7(){Wr.point=pv}function TH(){
Wr.point=OH}function RH(){R7($7,T7),Wr.point=pv}function OH(e,t){$7=e,T7=t,e*=be,t*=be,Wr.point=R7;var n=ce(t);En=n*ce(e),Sn=n*se(e),Cn=se(t),jf(En,Sn,Cn)}function R7(e,t){
e*=be,t*=be;var n=ce(t),r=n*ce(e),i=n*se(e),a=se(t),o=Sn*a-Cn*i,s=Cn*r-En*a,u=En*i-Sn*r,l=Y2(o,s,u),c=jn(l),f=l&&-c/l;J2.add(f*o),ev.add(f*s),tv.add(f*u),Wp+=c,
Vp+=c*(En+(En=r)),Xp+=c*(Sn+(Sn=i)),Kp+=c*(Cn+(Cn=a)),jf(En,Sn,Cn)}function O7(e){Ff=Wp=Gp=Hp=Yp=Vp=Xp=Kp=0,J2=new Nt,ev=new Nt,tv=new Nt,ya(e,Wr);var t=+J2,n=+ev,
r=+tv,i=Y2(t,n,r);return i<Bp&&(t=Vp,n=Xp,r=Kp,Wp<le&&(t=Gp,n=Hp,r=Yp),i=Y2(t,n,r),i<Bp)?[NaN,NaN]:[Cr(n,t)*xt,jn(r/i)*xt]}function nv(e,t){function n(r,i){return r=e(r,i),t(r[0],r[1])}return e.invert&&t.invert&&(n.invert=function(r,i){return r=t.invert(r,i),r&&e.invert(r[0],r[1])}),
n}function rv(e,t){return _e(e)>ve&&(e-=Math.round(e/_n)*_n),[e,t]}rv.invert=rv;function N7(e,t,n){return(e%=_n)?t||n?nv(a7(e),o7(t,n)):a7(e):t||n?o7(t,n):rv}function i7(e){
return function(t,n){return t+=e,_e(t)>ve&&(t-=Math.round(t/_n)*_n),[t,n]}}function a7(e){var t=i7(e);return t.invert=i7(-e),t}function o7(e,t){var n=ce(e),r=se(
e),i=ce(t),a=se(t);function o(s,u){var l=ce(u),c=ce(s)*l,f=se(s)*l,d=se(u),h=d*n+c*r;return[Cr(f*i-h*a,c*n-d*r),jn(h*i+f*a)]}return o.invert=function(s,u){var l=ce(
u),c=ce(s)*l,f=se(s)*l,d=se(u),h=d*i-f*a;return[Cr(f*i+d*a,c*n+h*r),jn(h*n-c*r)]},o}function NH(e){e=N7(e[0]*be,e[1]*be,e.length>2?e[2]*be:0);function t(n){return n=
e(n[0]*be,n[1]*be),n[0]*=xt,n[1]*=xt,n}return t.invert=function(n){return n=e.invert(n[0]*be,n[1]*be),n[0]*=xt,n[1]*=xt,n},t}function BH(e,t,n,r,i,a){if(n){var o=ce(
t),s=se(t),u=r*n;i==null?(i=t+r*_n,a=t-u/2):(i=s7(o,i),a=s7(o,a),(r>0?i<a:i>a)&&(i+=r*_n));for(var l,c=i;r>0?c>a:c<a;c-=u)l=qp([o,-s*ce(c),-s*se(c)]),e.point(l[0],
l[1])}}function s7(e,t){t=Ns(t),t[0]-=e,jp(t);var n=w7(-t[1]);return((-t[2]<0?-n:n)+_n-le)%_n}function B7(){var e=[],t;return{point:function(n,r,i){t.push([n,r,i])},lineStart:function(){e.push(t=[])},lineEnd:Kt,rejoin:function(){e.length>1&&e.push(e.pop().
concat(e.shift()))},result:function(){var n=e;return e=[],t=null,n}}}function Np(e,t){return _e(e[0]-t[0])<le&&_e(e[1]-t[1])<le}function Tp(e,t,n,r){this.x=e,this.
z=t,this.o=n,this.e=r,this.v=!1,this.n=this.p=null}function P7(e,t,n,r,i){var a=[],o=[],s,u;if(e.forEach(function(p){if(!((g=p.length-1)<=0)){var g,m=p[0],y=p[g],
b;if(Np(m,y)){if(!m[2]&&!y[2]){for(i.lineStart(),s=0;s<g;++s)i.point((m=p[s])[0],m[1]);i.lineEnd();return}y[0]+=2*le}a.push(b=new Tp(m,p,null,!0)),o.push(b.o=new Tp(
m,null,b,!1)),a.push(b=new Tp(y,p,null,!1)),o.push(b.o=new Tp(y,null,b,!0))}}),!!a.length){for(o.sort(t),u7(a),u7(o),s=0,u=o.length;s<u;++s)o[s].e=n=!n;for(var l=a[0],
c,f;;){for(var d=l,h=!0;d.v;)if((d=d.n)===l)return;c=d.z,i.lineStart();do{if(d.v=d.o.v=!0,d.e){if(h)for(s=0,u=c.length;s<u;++s)i.point((f=c[s])[0],f[1]);else r(
d.x,d.n.x,1,i);d=d.n}else{if(h)for(c=d.p.z,s=c.length-1;s>=0;--s)i.point((f=c[s])[0],f[1]);else r(d.x,d.p.x,-1,i);d=d.p}d=d.o,c=d.z,h=!h}while(!d.v);i.lineEnd()}}}
function u7(e){if(t=e.length){for(var t,n=0,r=e[0],i;++n<t;)r.n=i=e[n],i.p=r,r=i;r.n=i=e[0],i.p=r}}function W2(e){return _e(e[0])<=ve?e[0]:Sr(e[0])*((_e(e[0])+ve)%
_n-ve)}function PH(e,t){var n=W2(t),r=t[1],i=se(r),a=[se(n),-ce(n),0],o=0,s=0,u=new Nt;i===1?r=lt+le:i===-1&&(r=-lt-le);for(var l=0,c=e.length;l<c;++l)if(d=(f=e[l]).
length)for(var f,d,h=f[d-1],p=W2(h),g=h[1]/2+Pp,m=se(g),y=ce(g),b=0;b<d;++b,p=v,m=E,y=A,h=x){var x=f[b],v=W2(x),w=x[1]/2+Pp,E=se(w),A=ce(w),S=v-p,C=S>=0?1:-1,_=C*
S,k=_>ve,M=m*E;if(u.add(Cr(M*C*se(_),y*A+M*ce(_))),o+=k?S+C*_n:S,k^p>=n^v>=n){var $=pl(Ns(h),Ns(x));jp($);var O=pl(a,$);jp(O);var F=(k^S>=0?-1:1)*jn(O[2]);(r>F||
r===F&&($[0]||$[1]))&&(s+=k^S>=0?1:-1)}}return(o<-le||o<le&&u<-Bp)^s&1}function I7(e,t,n,r){return function(i){var a=t(i),o=B7(),s=t(o),u=!1,l,c,f,d={point:h,lineStart:g,
lineEnd:m,polygonStart:function(){d.point=y,d.lineStart=b,d.lineEnd=x,c=[],l=[]},polygonEnd:function(){d.point=h,d.lineStart=g,d.lineEnd=m,c=ly(c);var v=PH(l,r);
c.length?(u||(i.polygonStart(),u=!0),P7(c,zH,v,n,i)):v&&(u||(i.polygonStart(),u=!0),i.lineStart(),n(null,null,1,i),i.lineEnd()),u&&(i.polygonEnd(),u=!1),c=l=null},
sphere:function(){i.polygonStart(),i.lineStart(),n(null,null,1,i),i.lineEnd(),i.polygonEnd()}};function h(v,w){e(v,w)&&i.point(v,w)}function p(v,w){a.point(v,w)}
function g(){d.point=p,a.lineStart()}function m(){d.point=h,a.lineEnd()}function y(v,w){f.push([v,w]),s.point(v,w)}function b(){s.lineStart(),f=[]}function x(){
y(f[0][0],f[0][1]),s.lineEnd();var v=s.clean(),w=o.result(),E,A=w.length,S,C,_;if(f.pop(),l.push(f),f=null,!!A){if(v&1){if(C=w[0],(S=C.length-1)>0){for(u||(i.polygonStart(),
u=!0),i.lineStart(),E=0;E<S;++E)i.point((_=C[E])[0],_[1]);i.lineEnd()}return}A>1&&v&2&&w.push(w.pop().concat(w.shift())),c.push(w.filter(IH))}}return d}}function IH(e){
return e.length>1}function zH(e,t){return((e=e.x)[0]<0?e[1]-lt-le:lt-e[1])-((t=t.x)[0]<0?t[1]-lt-le:lt-t[1])}var l7=I7(function(){return!0},LH,qH,[-ve,-lt]);function LH(e){
var t=NaN,n=NaN,r=NaN,i;return{lineStart:function(){e.lineStart(),i=1},point:function(a,o){var s=a>0?ve:-ve,u=_e(a-t);_e(u-ve)<le?(e.point(t,n=(n+o)/2>0?lt:-lt),
e.point(r,n),e.lineEnd(),e.lineStart(),e.point(s,n),e.point(a,n),i=0):r!==s&&u>=ve&&(_e(t-r)<le&&(t-=r*le),_e(a-s)<le&&(a-=s*le),n=UH(t,n,a,o),e.point(r,n),e.lineEnd(),
e.lineStart(),e.point(s,n),i=0),e.point(t=a,n=o),r=s},lineEnd:function(){e.lineEnd(),t=n=NaN},clean:function(){return 2-i}}}function UH(e,t,n,r){var i,a,o=se(e-
n);return _e(o)>le?ml((se(t)*(a=ce(r))*se(n)-se(r)*(i=ce(t))*se(e))/(i*a*o)):(t+r)/2}function qH(e,t,n,r){var i;if(e==null)i=n*lt,r.point(-ve,i),r.point(0,i),r.
point(ve,i),r.point(ve,0),r.point(ve,-i),r.point(0,-i),r.point(-ve,-i),r.point(-ve,0),r.point(-ve,i);else if(_e(e[0]-t[0])>le){var a=e[0]<t[0]?ve:-ve;i=n*a/2,r.
point(-a,i),r.point(0,i),r.point(a,i)}else r.point(t[0],t[1])}function jH(e){var t=ce(e),n=2*be,r=t>0,i=_e(t)>le;function a(c,f,d,h){BH(h,e,n,d,c,f)}function o(c,f){
return ce(c)*ce(f)>t}function s(c){var f,d,h,p,g;return{lineStart:function(){p=h=!1,g=1},point:function(m,y){var b=[m,y],x,v=o(m,y),w=r?v?0:l(m,y):v?l(m+(m<0?ve:
-ve),y):0;if(!f&&(p=h=v)&&c.lineStart(),v!==h&&(x=u(f,b),(!x||Np(f,x)||Np(b,x))&&(b[2]=1)),v!==h)g=0,v?(c.lineStart(),x=u(b,f),c.point(x[0],x[1])):(x=u(f,b),c.point(
x[0],x[1],2),c.lineEnd()),f=x;else if(i&&f&&r^v){var E;!(w&d)&&(E=u(b,f,!0))&&(g=0,r?(c.lineStart(),c.point(E[0][0],E[0][1]),c.point(E[1][0],E[1][1]),c.lineEnd()):
(c.point(E[1][0],E[1][1]),c.lineEnd(),c.lineStart(),c.point(E[0][0],E[0][1],3)))}v&&(!f||!Np(f,b))&&c.point(b[0],b[1]),f=b,h=v,d=w},lineEnd:function(){h&&c.lineEnd(),
f=null},clean:function(){return g|(p&&h)<<1}}}function u(c,f,d){var h=Ns(c),p=Ns(f),g=[1,0,0],m=pl(h,p),y=Dp(m,m),b=m[0],x=y-b*b;if(!x)return!d&&c;var v=t*y/x,w=-t*
b/x,E=pl(g,m),A=$p(g,v),S=$p(m,w);j2(A,S);var C=E,_=Dp(A,C),k=Dp(C,C),M=_*_-k*(Dp(A,A)-1);if(!(M<0)){var $=kn(M),O=$p(C,(-_-$)/k);if(j2(O,A),O=qp(O),!d)return O;
var F=c[0],P=f[0],Q=c[1],J=f[1],ie;P<F&&(ie=F,F=P,P=ie);var me=P-F,dt=_e(me-ve)<le,Ht=dt||me<le;if(!dt&&J<Q&&(ie=Q,Q=J,J=ie),Ht?dt?Q+J>0^O[1]<(_e(O[0]-F)<le?Q:J):
Q<=O[1]&&O[1]<=J:me>ve^(F<=O[0]&&O[0]<=P)){var Rt=$p(C,(-_+$)/k);return j2(Rt,A),[O,qp(Rt)]}}}function l(c,f){var d=r?e:ve-e,h=0;return c<-d?h|=1:c>d&&(h|=2),f<
-d?h|=4:f>d&&(h|=8),h}return I7(o,s,a,r?[0,-e]:[-ve,e-ve])}function WH(e,t,n,r,i,a){var o=e[0],s=e[1],u=t[0],l=t[1],c=0,f=1,d=u-o,h=l-s,p;if(p=n-o,!(!d&&p>0)){if(p/=
d,d<0){if(p<c)return;p<f&&(f=p)}else if(d>0){if(p>f)return;p>c&&(c=p)}if(p=i-o,!(!d&&p<0)){if(p/=d,d<0){if(p>f)return;p>c&&(c=p)}else if(d>0){if(p<c)return;p<f&&
(f=p)}if(p=r-s,!(!h&&p>0)){if(p/=h,h<0){if(p<c)return;p<f&&(f=p)}else if(h>0){if(p>f)return;p>c&&(c=p)}if(p=a-s,!(!h&&p<0)){if(p/=h,h<0){if(p>f)return;p>c&&(c=p)}else if(h>
0){if(p<c)return;p<f&&(f=p)}return c>0&&(e[0]=o+c*d,e[1]=s+c*h),f<1&&(t[0]=o+f*d,t[1]=s+f*h),!0}}}}}var Mf=1e9,Rp=-Mf;function z7(e,t,n,r){function i(l,c){return e<=
l&&l<=n&&t<=c&&c<=r}function a(l,c,f,d){var h=0,p=0;if(l==null||(h=o(l,f))!==(p=o(c,f))||u(l,c)<0^f>0)do d.point(h===0||h===3?e:n,h>1?r:t);while((h=(h+f+4)%4)!==
p);else d.point(c[0],c[1])}function o(l,c){return _e(l[0]-e)<le?c>0?0:3:_e(l[0]-n)<le?c>0?2:1:_e(l[1]-t)<le?c>0?1:0:c>0?3:2}function s(l,c){return u(l.x,c.x)}function u(l,c){
var f=o(l,1),d=o(c,1);return f!==d?f-d:f===0?c[1]-l[1]:f===1?l[0]-c[0]:f===2?l[1]-c[1]:c[0]-l[0]}return function(l){var c=l,f=B7(),d,h,p,g,m,y,b,x,v,w,E,A={point:S,
lineStart:M,lineEnd:$,polygonStart:_,polygonEnd:k};function S(F,P){i(F,P)&&c.point(F,P)}function C(){for(var F=0,P=0,Q=h.length;P<Q;++P)for(var J=h[P],ie=1,me=J.
length,dt=J[0],Ht,Rt,Zn=dt[0],ht=dt[1];ie<me;++ie)Ht=Zn,Rt=ht,dt=J[ie],Zn=dt[0],ht=dt[1],Rt<=r?ht>r&&(Zn-Ht)*(r-Rt)>(ht-Rt)*(e-Ht)&&++F:ht<=r&&(Zn-Ht)*(r-Rt)<(ht-
Rt)*(e-Ht)&&--F;return F}function _(){c=f,d=[],h=[],E=!0}function k(){var F=C(),P=E&&F,Q=(d=ly(d)).length;(P||Q)&&(l.polygonStart(),P&&(l.lineStart(),a(null,null,
1,l),l.lineEnd()),Q&&P7(d,s,F,a,l),l.polygonEnd()),c=l,d=h=p=null}function M(){A.point=O,h&&h.push(p=[]),w=!0,v=!1,b=x=NaN}function $(){d&&(O(g,m),y&&v&&f.rejoin(),
d.push(f.result())),A.point=S,v&&c.lineEnd()}function O(F,P){var Q=i(F,P);if(h&&p.push([F,P]),w)g=F,m=P,y=Q,w=!1,Q&&(c.lineStart(),c.point(F,P));else if(Q&&v)c.
point(F,P);else{var J=[b=Math.max(Rp,Math.min(Mf,b)),x=Math.max(Rp,Math.min(Mf,x))],ie=[F=Math.max(Rp,Math.min(Mf,F)),P=Math.max(Rp,Math.min(Mf,P))];WH(J,ie,e,t,
n,r)?(v||(c.lineStart(),c.point(J[0],J[1])),c.point(ie[0],ie[1]),Q||c.lineEnd(),E=!1):Q&&(c.lineStart(),c.point(F,P),E=!1)}b=F,x=P,v=Q}return A}}function c7(e,t,n){var r=St(e,t-le,n).concat(t);return function(i){return r.map(function(a){return[i,a]})}}function f7(e,t,n){var r=St(e,t-le,n).concat(t);return function(i){
return r.map(function(a){return[a,i]})}}function L7(){var e,t,n,r,i,a,o,s,u=10,l=u,c=90,f=360,d,h,p,g,m=2.5;function y(){return{type:"MultiLineString",coordinates:b()}}
function b(){return St(Mp(r/c)*c,n,c).map(p).concat(St(Mp(s/f)*f,o,f).map(g)).concat(St(Mp(t/u)*u,e,u).filter(function(x){return _e(x%c)>le}).map(d)).concat(St(
Mp(a/l)*l,i,l).filter(function(x){return _e(x%f)>le}).map(h))}return y.lines=function(){return b().map(function(x){return{type:"LineString",coordinates:x}})},y.
outline=function(){return{type:"Polygon",coordinates:[p(r).concat(g(o).slice(1),p(n).reverse().slice(1),g(s).reverse().slice(1))]}},y.extent=function(x){return arguments.
length?y.extentMajor(x).extentMinor(x):y.extentMinor()},y.extentMajor=function(x){return arguments.length?(r=+x[0][0],n=+x[1][0],s=+x[0][1],o=+x[1][1],r>n&&(x=r,
r=n,n=x),s>o&&(x=s,s=o,o=x),y.precision(m)):[[r,s],[n,o]]},y.extentMinor=function(x){return arguments.length?(t=+x[0][0],e=+x[1][0],a=+x[0][1],i=+x[1][1],t>e&&(x=
t,t=e,e=x),a>i&&(x=a,a=i,i=x),y.precision(m)):[[t,a],[e,i]]},y.step=function(x){return arguments.length?y.stepMajor(x).stepMinor(x):y.stepMinor()},y.stepMajor=function(x){
return arguments.length?(c=+x[0],f=+x[1],y):[c,f]},y.stepMinor=function(x){return arguments.length?(u=+x[0],l=+x[1],y):[u,l]},y.precision=function(x){return arguments.
length?(m=+x,d=c7(a,i,90),h=f7(t,e,m),p=c7(s,o,90),g=f7(r,n,m),y):m},y.extentMajor([[-180,-90+le],[180,90-le]]).extentMinor([[-180,-80-le],[180,80+le]])}var zf=e=>e,G2=new Nt,iv=new Nt,U7,q7,av,ov,ba={point:Kt,lineStart:Kt,lineEnd:Kt,polygonStart:function(){ba.lineStart=GH,ba.lineEnd=YH},polygonEnd:function(){ba.
lineStart=ba.lineEnd=ba.point=Kt,G2.add(_e(iv)),iv=new Nt},result:function(){var e=G2/2;return G2=new Nt,e}};function GH(){ba.point=HH}function HH(e,t){ba.point=
j7,U7=av=e,q7=ov=t}function j7(e,t){iv.add(ov*e-av*t),av=e,ov=t}function YH(){j7(U7,q7)}var gl=1/0,Qp=gl,Lf=-gl,Zp=Lf,Jp={point:VH,lineStart:Kt,lineEnd:Kt,polygonStart:Kt,
polygonEnd:Kt,result:function(){var e=[[gl,Qp],[Lf,Zp]];return Lf=Zp=-(Qp=gl=1/0),e}};function VH(e,t){e<gl&&(gl=e),e>Lf&&(Lf=e),t<Qp&&(Qp=t),t>Zp&&(Zp=t)}var sv=0,
uv=0,Df=0,eg=0,tg=0,dl=0,lv=0,cv=0,$f=0,W7,G7,Di,$i,Er={point:Bs,lineStart:d7,lineEnd:h7,polygonStart:function(){Er.lineStart=QH,Er.lineEnd=ZH},polygonEnd:function(){
Er.point=Bs,Er.lineStart=d7,Er.lineEnd=h7},result:function(){var e=$f?[lv/$f,cv/$f]:dl?[eg/dl,tg/dl]:Df?[sv/Df,uv/Df]:[NaN,NaN];return sv=uv=Df=eg=tg=dl=lv=cv=$f=
0,e}};function Bs(e,t){sv+=e,uv+=t,++Df}function d7(){Er.point=XH}function XH(e,t){Er.point=KH,Bs(Di=e,$i=t)}function KH(e,t){var n=e-Di,r=t-$i,i=kn(n*n+r*r);eg+=
i*(Di+e)/2,tg+=i*($i+t)/2,dl+=i,Bs(Di=e,$i=t)}function h7(){Er.point=Bs}function QH(){Er.point=JH}function ZH(){H7(W7,G7)}function JH(e,t){Er.point=H7,Bs(W7=Di=
e,G7=$i=t)}function H7(e,t){var n=e-Di,r=t-$i,i=kn(n*n+r*r);eg+=i*(Di+e)/2,tg+=i*($i+t)/2,dl+=i,i=$i*e-Di*t,lv+=i*(Di+e),cv+=i*($i+t),$f+=i*3,Bs(Di=e,$i=t)}function Y7(e){
this._context=e}Y7.prototype={_radius:4.5,pointRadius:function(e){return this._radius=e,this},polygonStart:function(){this._line=0},polygonEnd:function(){this._line=
NaN},lineStart:function(){this._point=0},lineEnd:function(){this._line===0&&this._context.closePath(),this._point=NaN},point:function(e,t){switch(this._point){case 0:{
this._context.moveTo(e,t),this._point=1;break}case 1:{this._context.lineTo(e,t);break}default:{this._context.moveTo(e+this._radius,t),this._context.arc(e,t,this.
_radius,0,_n);break}}},result:Kt};var fv=new Nt,H2,V7,X7,Tf,Rf,Uf={point:Kt,lineStart:function(){Uf.point=eY},lineEnd:function(){H2&&K7(V7,X7),Uf.point=Kt},polygonStart:function(){
H2=!0},polygonEnd:function(){H2=null},result:function(){var e=+fv;return fv=new Nt,e}};function eY(e,t){Uf.point=K7,V7=Tf=e,X7=Rf=t}function K7(e,t){Tf-=e,Rf-=t,
fv.add(kn(Tf*Tf+Rf*Rf)),Tf=e,Rf=t}var p7,ng,g7,m7,rg=class{constructor(t){this._append=t==null?Q7:tY(t),this._radius=4.5,this._=""}pointRadius(t){return this._radius=
+t,this}polygonStart(){this._line=0}polygonEnd(){this._line=NaN}lineStart(){this._point=0}lineEnd(){this._line===0&&(this._+="Z"),this._point=NaN}point(t,n){switch(this.
_point){case 0:{this._append`M${t},${n}`,this._point=1;break}case 1:{this._append`L${t},${n}`;break}default:{if(this._append`M${t},${n}`,this._radius!==g7||this.
_append!==ng){let r=this._radius,i=this._;this._="",this._append`m0,${r}a${r},${r} 0 1,1 0,${-2*r}a${r},${r} 0 1,1 0,${2*r}z`,g7=r,ng=this._append,m7=this._,this.
_=i}this._+=m7;break}}}result(){let t=this._;return this._="",t.length?t:null}};function Q7(e){let t=1;this._+=e[0];for(let n=e.length;t<n;++t)this._+=arguments[t]+
e[t]}function tY(e){let t=Math.floor(e);if(!(t>=0))throw new RangeError(`invalid digits: ${e}`);if(t>15)return Q7;if(t!==p7){let n=10**t;p7=t,ng=function(i){let a=1;
this._+=i[0];for(let o=i.length;a<o;++a)this._+=Math.round(arguments[a]*n)/n+i[a]}}return ng}function gv(e,t){let n=3,r=4.5,i,a;function o(s){return s&&(typeof r==
"function"&&a.pointRadius(+r.apply(this,arguments)),ya(s,i(a))),a.result()}return o.area=function(s){return ya(s,i(ba)),ba.result()},o.measure=function(s){return ya(
s,i(Uf)),Uf.result()},o.bounds=function(s){return ya(s,i(Jp)),Jp.result()},o.centroid=function(s){return ya(s,i(Er)),Er.result()},o.projection=function(s){return arguments.
length?(i=s==null?(e=null,zf):(e=s).stream,o):e},o.context=function(s){return arguments.length?(a=s==null?(t=null,new rg(n)):new Y7(t=s),typeof r!="function"&&a.
pointRadius(r),o):t},o.pointRadius=function(s){return arguments.length?(r=typeof s=="function"?s:(a.pointRadius(+s),+s),o):r},o.digits=function(s){if(!arguments.
length)return n;if(s==null)n=null;else{let u=Math.floor(s);if(!(u>=0))throw new RangeError(`invalid digits: ${s}`);n=u}return t===null&&(a=new rg(n)),o},o.projection(
e).digits(n).context(t)}function og(e){return function(t){var n=new dv;for(var r in e)n[r]=e[r];return n.stream=t,n}}function dv(){}dv.prototype={constructor:dv,point:function(e,t){this.
stream.point(e,t)},sphere:function(){this.stream.sphere()},lineStart:function(){this.stream.lineStart()},lineEnd:function(){this.stream.lineEnd()},polygonStart:function(){
this.stream.polygonStart()},polygonEnd:function(){this.stream.polygonEnd()}};function mv(e,t,n){var r=e.clipExtent&&e.clipExtent();return e.scale(150).translate(
[0,0]),r!=null&&e.clipExtent(null),ya(n,e.stream(Jp)),t(Jp.result()),r!=null&&e.clipExtent(r),e}function sg(e,t,n){return mv(e,function(r){var i=t[1][0]-t[0][0],
a=t[1][1]-t[0][1],o=Math.min(i/(r[1][0]-r[0][0]),a/(r[1][1]-r[0][1])),s=+t[0][0]+(i-o*(r[1][0]+r[0][0]))/2,u=+t[0][1]+(a-o*(r[1][1]+r[0][1]))/2;e.scale(150*o).translate(
[s,u])},n)}function yv(e,t,n){return sg(e,[[0,0],t],n)}function bv(e,t,n){return mv(e,function(r){var i=+t,a=i/(r[1][0]-r[0][0]),o=(i-a*(r[1][0]+r[0][0]))/2,s=-a*
r[0][1];e.scale(150*a).translate([o,s])},n)}function xv(e,t,n){return mv(e,function(r){var i=+t,a=i/(r[1][1]-r[0][1]),o=-a*r[0][0],s=(i-a*(r[1][1]+r[0][1]))/2;e.
scale(150*a).translate([o,s])},n)}var y7=16,nY=ce(30*be);function b7(e,t){return+t?iY(e,t):rY(e)}function rY(e){return og({point:function(t,n){t=e(t,n),this.stream.
point(t[0],t[1])}})}function iY(e,t){function n(r,i,a,o,s,u,l,c,f,d,h,p,g,m){var y=l-r,b=c-i,x=y*y+b*b;if(x>4*t&&g--){var v=o+d,w=s+h,E=u+p,A=kn(v*v+w*w+E*E),S=jn(
E/=A),C=_e(_e(E)-1)<le||_e(a-f)<le?(a+f)/2:Cr(w,v),_=e(C,S),k=_[0],M=_[1],$=k-r,O=M-i,F=b*$-y*O;(F*F/x>t||_e((y*$+b*O)/x-.5)>.3||o*d+s*h+u*p<nY)&&(n(r,i,a,o,s,u,
k,M,C,v/=A,w/=A,E,g,m),m.point(k,M),n(k,M,C,v,w,E,l,c,f,d,h,p,g,m))}}return function(r){var i,a,o,s,u,l,c,f,d,h,p,g,m={point:y,lineStart:b,lineEnd:v,polygonStart:function(){
r.polygonStart(),m.lineStart=w},polygonEnd:function(){r.polygonEnd(),m.lineStart=b}};function y(S,C){S=e(S,C),r.point(S[0],S[1])}function b(){f=NaN,m.point=x,r.
lineStart()}function x(S,C){var _=Ns([S,C]),k=e(S,C);n(f,d,c,h,p,g,f=k[0],d=k[1],c=S,h=_[0],p=_[1],g=_[2],y7,r),r.point(f,d)}function v(){m.point=y,r.lineEnd()}
function w(){b(),m.point=E,m.lineEnd=A}function E(S,C){x(i=S,C),a=f,o=d,s=h,u=p,l=g,m.point=x}function A(){n(f,d,c,h,p,g,a,o,i,s,u,l,y7,r),m.lineEnd=v,v()}return m}}
var aY=og({point:function(e,t){this.stream.point(e*be,t*be)}});function oY(e){return og({point:function(t,n){var r=e(t,n);return this.stream.point(r[0],r[1])}})}
function sY(e,t,n,r,i){function a(o,s){return o*=r,s*=i,[t+e*o,n-e*s]}return a.invert=function(o,s){return[(o-t)/e*r,(n-s)/e*i]},a}function x7(e,t,n,r,i,a){if(!a)
return sY(e,t,n,r,i);var o=ce(a),s=se(a),u=o*e,l=s*e,c=o/e,f=s/e,d=(s*n-o*t)/e,h=(s*t+o*n)/e;function p(g,m){return g*=r,m*=i,[u*g-l*m+t,n-l*g-u*m]}return p.invert=
function(g,m){return[r*(c*g-f*m+d),i*(h-f*g-c*m)]},p}function Gr(e){return Z7(function(){return e})()}function Z7(e){var t,n=150,r=480,i=250,a=0,o=0,s=0,u=0,l=0,
c,f=0,d=1,h=1,p=null,g=l7,m=null,y,b,x,v=zf,w=.5,E,A,S,C,_;function k(F){return S(F[0]*be,F[1]*be)}function M(F){return F=S.invert(F[0],F[1]),F&&[F[0]*xt,F[1]*xt]}
k.stream=function(F){return C&&_===F?C:C=aY(oY(c)(g(E(v(_=F)))))},k.preclip=function(F){return arguments.length?(g=F,p=void 0,O()):g},k.postclip=function(F){return arguments.
length?(v=F,m=y=b=x=null,O()):v},k.clipAngle=function(F){return arguments.length?(g=+F?jH(p=F*be):(p=null,l7),O()):p*xt},k.clipExtent=function(F){return arguments.
length?(v=F==null?(m=y=b=x=null,zf):z7(m=+F[0][0],y=+F[0][1],b=+F[1][0],x=+F[1][1]),O()):m==null?null:[[m,y],[b,x]]},k.scale=function(F){return arguments.length?
(n=+F,$()):n},k.translate=function(F){return arguments.length?(r=+F[0],i=+F[1],$()):[r,i]},k.center=function(F){return arguments.length?(a=F[0]%360*be,o=F[1]%360*
be,$()):[a*xt,o*xt]},k.rotate=function(F){return arguments.length?(s=F[0]%360*be,u=F[1]%360*be,l=F.length>2?F[2]%360*be:0,$()):[s*xt,u*xt,l*xt]},k.angle=function(F){
return arguments.length?(f=F%360*be,$()):f*xt},k.reflectX=function(F){return arguments.length?(d=F?-1:1,$()):d<0},k.reflectY=function(F){return arguments.length?
(h=F?-1:1,$()):h<0},k.precision=function(F){return arguments.length?(E=b7(A,w=F*F),O()):kn(w)},k.fitExtent=function(F,P){return sg(k,F,P)},k.fitSize=function(F,P){
return yv(k,F,P)},k.fitWidth=function(F,P){return bv(k,F,P)},k.fitHeight=function(F,P){return xv(k,F,P)};function $(){var F=x7(n,0,0,d,h,f).apply(null,t(a,o)),P=x7(
n,r-F[0],i-F[1],d,h,f);return c=N7(s,u,l),A=nv(t,P),S=nv(c,A),E=b7(A,w),O()}function O(){return C=_=null,k}return function(){return t=e.apply(this,arguments),k.
invert=t.invert&&M,$()}}function vv(e){var t=0,n=ve/3,r=Z7(e),i=r(t,n);return i.parallels=function(a){return arguments.length?r(t=a[0]*be,n=a[1]*be):[t*xt,n*xt]},
i}function uY(e){var t=ce(e);function n(r,i){return[r*t,se(i)/t]}return n.invert=function(r,i){return[r/t,jn(i*t)]},n}function lY(e,t){var n=se(e),r=(n+se(t))/2;
if(_e(r)<le)return uY(e);var i=1+n*(2*r-n),a=kn(i)/r;function o(s,u){var l=kn(i-2*r*se(u))/r;return[l*se(s*=r),a-l*ce(s)]}return o.invert=function(s,u){var l=a-
u,c=Cr(s,_e(l))*Sr(l);return l*r<0&&(c-=ve*Sr(s)*Sr(l)),[c/r,jn((i-(s*s+l*l)*r*r)/(2*r))]},o}function qf(){return vv(lY).scale(155.424).center([0,33.6442])}function wv(){
return qf().parallels([29.5,45.5]).scale(1070).translate([480,250]).rotate([96,0]).center([-.6,38.7])}function cY(e){var t=e.length;return{point:function(n,r){for(var i=-1;++i<
t;)e[i].point(n,r)},sphere:function(){for(var n=-1;++n<t;)e[n].sphere()},lineStart:function(){for(var n=-1;++n<t;)e[n].lineStart()},lineEnd:function(){for(var n=-1;++n<
t;)e[n].lineEnd()},polygonStart:function(){for(var n=-1;++n<t;)e[n].polygonStart()},polygonEnd:function(){for(var n=-1;++n<t;)e[n].polygonEnd()}}}function J7(){
var e,t,n=wv(),r,i=qf().rotate([154,0]).center([-2,58.5]).parallels([55,65]),a,o=qf().rotate([157,0]).center([-3,19.9]).parallels([8,18]),s,u,l={point:function(d,h){
u=[d,h]}};function c(d){var h=d[0],p=d[1];return u=null,r.point(h,p),u||(a.point(h,p),u)||(s.point(h,p),u)}c.invert=function(d){var h=n.scale(),p=n.translate(),
g=(d[0]-p[0])/h,m=(d[1]-p[1])/h;return(m>=.12&&m<.234&&g>=-.425&&g<-.214?i:m>=.166&&m<.234&&g>=-.214&&g<-.115?o:n).invert(d)},c.stream=function(d){return e&&t===
d?e:e=cY([n.stream(t=d),i.stream(d),o.stream(d)])},c.precision=function(d){return arguments.length?(n.precision(d),i.precision(d),o.precision(d),f()):n.precision()},
c.scale=function(d){return arguments.length?(n.scale(d),i.scale(d*.35),o.scale(d),c.translate(n.translate())):n.scale()},c.translate=function(d){if(!arguments.length)
return n.translate();var h=n.scale(),p=+d[0],g=+d[1];return r=n.translate(d).clipExtent([[p-.455*h,g-.238*h],[p+.455*h,g+.238*h]]).stream(l),a=i.translate([p-.307*
h,g+.201*h]).clipExtent([[p-.425*h+le,g+.12*h+le],[p-.214*h-le,g+.234*h-le]]).stream(l),s=o.translate([p-.205*h,g+.212*h]).clipExtent([[p-.214*h+le,g+.166*h+le],
[p-.115*h-le,g+.234*h-le]]).stream(l),f()},c.fitExtent=function(d,h){return sg(c,d,h)},c.fitSize=function(d,h){return yv(c,d,h)},c.fitWidth=function(d,h){return bv(
c,d,h)},c.fitHeight=function(d,h){return xv(c,d,h)};function f(){return e=t=null,c}return c.scale(1070)}function eF(e){return function(t,n){var r=ce(t),i=ce(n),
a=e(r*i);return a===1/0?[2,0]:[a*i*se(t),a*se(n)]}}function Wf(e){return function(t,n){var r=kn(t*t+n*n),i=e(r),a=se(i),o=ce(i);return[Cr(t*a,r*o),jn(r&&n*a/r)]}}
var tF=eF(function(e){return kn(2/(1+e))});tF.invert=Wf(function(e){return 2*jn(e/2)});function nF(){return Gr(tF).scale(124.75).clipAngle(180-.001)}var rF=eF(function(e){
return(e=w7(e))&&e/se(e)});rF.invert=Wf(function(e){return e});function iF(){return Gr(rF).scale(79.4188).clipAngle(180-.001)}function ug(e,t){return[e,Ip(hv((lt+
t)/2))]}ug.invert=function(e,t){return[e,2*ml(v7(t))-lt]};function aF(){return oF(ug).scale(961/_n)}function oF(e){var t=Gr(e),n=t.center,r=t.scale,i=t.translate,
a=t.clipExtent,o=null,s,u,l;t.scale=function(f){return arguments.length?(r(f),c()):r()},t.translate=function(f){return arguments.length?(i(f),c()):i()},t.center=
function(f){return arguments.length?(n(f),c()):n()},t.clipExtent=function(f){return arguments.length?(f==null?o=s=u=l=null:(o=+f[0][0],s=+f[0][1],u=+f[1][0],l=+f[1][1]),
c()):o==null?null:[[o,s],[u,l]]};function c(){var f=ve*r(),d=t(NH(t.rotate()).invert([0,0]));return a(o==null?[[d[0]-f,d[1]-f],[d[0]+f,d[1]+f]]:e===ug?[[Math.max(
d[0]-f,o),s],[Math.min(d[0]+f,u),l]]:[[o,Math.max(d[1]-f,s)],[u,Math.min(d[1]+f,l)]])}return c()}function Op(e){return hv((lt+e)/2)}function fY(e,t){var n=ce(e),
r=e===t?se(e):Ip(n/ce(t))/Ip(Op(t)/Op(e)),i=n*q2(Op(e),r)/r;if(!r)return ug;function a(o,s){i>0?s<-lt+le&&(s=-lt+le):s>lt-le&&(s=lt-le);var u=i/q2(Op(s),r);return[
u*se(r*o),i-u*ce(r*o)]}return a.invert=function(o,s){var u=i-s,l=Sr(r)*kn(o*o+u*u),c=Cr(o,_e(u))*Sr(u);return u*r<0&&(c-=ve*Sr(o)*Sr(u)),[c/r,2*ml(q2(i/l,1/r))-
lt]},a}function sF(){return vv(fY).scale(109.5).parallels([30,30])}function ig(e,t){return[e,t]}ig.invert=ig;function uF(){return Gr(ig).scale(152.63)}function dY(e,t){
var n=ce(e),r=e===t?se(e):(n-ce(t))/(t-e),i=n/r+e;if(_e(r)<le)return ig;function a(o,s){var u=i-s,l=r*o;return[u*se(l),i-u*ce(l)]}return a.invert=function(o,s){
var u=i-s,l=Cr(o,_e(u))*Sr(u);return u*r<0&&(l-=ve*Sr(o)*Sr(u)),[l/r,i-Sr(r)*kn(o*o+u*u)]},a}function lF(){return vv(dY).scale(131.154).center([0,13.9389])}var Nf=1.340264,
Bf=-.081106,Pf=893e-6,If=.003796,ag=kn(3)/2,hY=12;function cF(e,t){var n=jn(ag*se(t)),r=n*n,i=r*r*r;return[e*ce(n)/(ag*(Nf+3*Bf*r+i*(7*Pf+9*If*r))),n*(Nf+Bf*r+i*
(Pf+If*r))]}cF.invert=function(e,t){for(var n=t,r=n*n,i=r*r*r,a=0,o,s,u;a<hY&&(s=n*(Nf+Bf*r+i*(Pf+If*r))-t,u=Nf+3*Bf*r+i*(7*Pf+9*If*r),n-=o=s/u,r=n*n,i=r*r*r,!(_e(
o)<Bp));++a);return[ag*e*(Nf+3*Bf*r+i*(7*Pf+9*If*r))/ce(n),jn(se(n)/ag)]};function fF(){return Gr(cF).scale(177.158)}function dF(e,t){var n=ce(t),r=ce(e)*n;return[
n*se(e)/r,se(t)/r]}dF.invert=Wf(ml);function hF(){return Gr(dF).scale(144.049).clipAngle(60)}function pF(){var e=1,t=0,n=0,r=1,i=1,a=0,o,s,u=null,l,c,f,d=1,h=1,
p=og({point:function(v,w){var E=x([v,w]);this.stream.point(E[0],E[1])}}),g=zf,m,y;function b(){return d=e*r,h=e*i,m=y=null,x}function x(v){var w=v[0]*d,E=v[1]*h;
if(a){var A=E*o-w*s;w=w*o+E*s,E=A}return[w+t,E+n]}return x.invert=function(v){var w=v[0]-t,E=v[1]-n;if(a){var A=E*o+w*s;w=w*o-E*s,E=A}return[w/d,E/h]},x.stream=
function(v){return m&&y===v?m:m=p(g(y=v))},x.postclip=function(v){return arguments.length?(g=v,u=l=c=f=null,b()):g},x.clipExtent=function(v){return arguments.length?
(g=v==null?(u=l=c=f=null,zf):z7(u=+v[0][0],l=+v[0][1],c=+v[1][0],f=+v[1][1]),b()):u==null?null:[[u,l],[c,f]]},x.scale=function(v){return arguments.length?(e=+v,
b()):e},x.translate=function(v){return arguments.length?(t=+v[0],n=+v[1],b()):[t,n]},x.angle=function(v){return arguments.length?(a=v%360*be,s=se(a),o=ce(a),b()):
a*xt},x.reflectX=function(v){return arguments.length?(r=v?-1:1,b()):r<0},x.reflectY=function(v){return arguments.length?(i=v?-1:1,b()):i<0},x.fitExtent=function(v,w){
return sg(x,v,w)},x.fitSize=function(v,w){return yv(x,v,w)},x.fitWidth=function(v,w){return bv(x,v,w)},x.fitHeight=function(v,w){return xv(x,v,w)},x}function gF(e,t){
var n=t*t,r=n*n;return[e*(.8707-.131979*n+r*(-.013791+r*(.003971*n-.001529*r))),t*(1.007226+n*(.015085+r*(-.044475+.028874*n-.005916*r)))]}gF.invert=function(e,t){
var n=t,r=25,i;do{var a=n*n,o=a*a;n-=i=(n*(1.007226+a*(.015085+o*(-.044475+.028874*a-.005916*o)))-t)/(1.007226+a*(.015085*3+o*(-.044475*7+.028874*9*a-.005916*11*
o)))}while(_e(i)>le&&--r>0);return[e/(.8707+(a=n*n)*(-.131979+a*(-.013791+a*a*a*(.003971-.001529*a)))),n]};function mF(){return Gr(gF).scale(175.295)}function yF(e,t){
return[ce(t)*se(e),se(t)]}yF.invert=Wf(jn);function bF(){return Gr(yF).scale(249.5).clipAngle(90+le)}function xF(e,t){var n=ce(t),r=1+ce(e)*n;return[n*se(e)/r,se(
t)/r]}xF.invert=Wf(function(e){return 2*ml(e)});function vF(){return Gr(xF).scale(250).clipAngle(142)}function wF(e,t){return[Ip(hv((lt+t)/2)),-e]}wF.invert=function(e,t){
return[-t,2*ml(v7(e))-lt]};function AF(){var e=oF(wF),t=e.center,n=e.rotate;return e.center=function(r){return arguments.length?t([-r[1],r[0]]):(r=t(),[r[1],-r[0]])},
e.rotate=function(r){return arguments.length?n([r[0],r[1],r.length>2?r[2]+90:90]):(r=n(),[r[0],r[1],r[2]-90])},n([0,0,90]).scale(159.155)}var EF=Math.abs;var cg=Math.cos;var Gf=Math.sin;var SF=1e-6;var Fo=Math.PI,lg=Fo/2,Xye=Fo/4;var Av=CF(2),Kye=CF(Fo),Qye=Fo*2,Zye=180/Fo,Jye=Fo/180;function Ev(e){return e>1?lg:e<-1?-lg:Math.asin(e)}function CF(e){return e>0?Math.sqrt(e):0}function pY(e,t){var n=e*Gf(t),r=30,i;do t-=i=(t+Gf(t)-n)/(1+cg(t));while(EF(i)>SF&&--r>0);return t/2}function gY(e,t,n){function r(i,a){return[e*i*cg(a=pY(n,a)),
t*Gf(a)]}return r.invert=function(i,a){return a=Ev(a/t),[i/(e*cg(a)),Ev((2*a+Gf(2*a))/n)]},r}var _F=gY(Av/lg,Av,Fo);function Sv(){return Gr(_F).scale(169.529)}var mY=gv(),dg=["clipAngle","clipExtent","scale","translate","center","rotate","parallels","precision","reflectX","reflectY","coefficient","distance","fraction",
"lobes","parallel","radius","ratio","spacing","tilt"];function yY(e,t){return function n(){let r=t();return r.type=e,r.path=gv().projection(r),r.copy=r.copy||function(){
let i=n();return dg.forEach(a=>{r[a]&&i[a](r[a]())}),i.path.pointRadius(r.path.pointRadius()),i},Mx(r)}}function hg(e,t){if(!e||typeof e!="string")throw new Error(
"Projection type must be a name string.");return e=e.toLowerCase(),arguments.length>1?(fg[e]=yY(e,t),this):fg[e]||null}function Cv(e){return e&&e.path||mY}var fg={
albers:wv,albersusa:J7,azimuthalequalarea:nF,azimuthalequidistant:iF,conicconformal:sF,conicequalarea:qf,conicequidistant:lF,equalEarth:fF,equirectangular:uF,gnomonic:hF,
identity:pF,mercator:aF,mollweide:Sv,naturalEarth1:mF,orthographic:bF,stereographic:vF,transversemercator:AF};for(let e in fg)hg(e,fg[e]);function bY(){}var va=[[],[[[1,1.5],[.5,1]]],[[[1.5,1],[1,1.5]]],[[[1.5,1],[.5,1]]],[[[1,.5],[1.5,1]]],[[[1,1.5],[.5,1]],[[1,.5],[1.5,1]]],[[[1,.5],[1,1.5]]],[[
[1,.5],[.5,1]]],[[[.5,1],[1,.5]]],[[[1,1.5],[1,.5]]],[[[.5,1],[1,.5]],[[1.5,1],[1,1.5]]],[[[1.5,1],[1,.5]]],[[[.5,1],[1.5,1]]],[[[1,1.5],[1.5,1]]],[[[.5,1],[1,1.5]]],
[]];function MF(){var e=1,t=1,n=s;function r(u,l){return l.map(c=>i(u,c))}function i(u,l){var c=[],f=[];return a(u,l,d=>{n(d,u,l),xY(d)>0?c.push([d]):f.push(d)}),
f.forEach(d=>{for(var h=0,p=c.length,g;h<p;++h)if(vY((g=c[h])[0],d)!==-1){g.push(d);return}}),{type:"MultiPolygon",value:l,coordinates:c}}function a(u,l,c){var f=[],
d=[],h,p,g,m,y,b;for(h=p=-1,m=u[0]>=l,va[m<<1].forEach(x);++h<e-1;)g=m,m=u[h+1]>=l,va[g|m<<1].forEach(x);for(va[m<<0].forEach(x);++p<t-1;){for(h=-1,m=u[p*e+e]>=
l,y=u[p*e]>=l,va[m<<1|y<<2].forEach(x);++h<e-1;)g=m,m=u[p*e+e+h+1]>=l,b=y,y=u[p*e+h+1]>=l,va[g|m<<1|y<<2|b<<3].forEach(x);va[m|y<<3].forEach(x)}for(h=-1,y=u[p*e]>=
l,va[y<<2].forEach(x);++h<e-1;)b=y,y=u[p*e+h+1]>=l,va[y<<2|b<<3].forEach(x);va[y<<3].forEach(x);function x(v){var w=[v[0][0]+h,v[0][1]+p],E=[v[1][0]+h,v[1][1]+p],
A=o(w),S=o(E),C,_;(C=d[A])?(_=f[S])?(delete d[C.end],delete f[_.start],C===_?(C.ring.push(E),c(C.ring)):f[C.start]=d[_.end]={start:C.start,end:_.end,ring:C.ring.
concat(_.ring)}):(delete d[C.end],C.ring.push(E),d[C.end=S]=C):(C=f[S])?(_=d[A])?(delete f[C.start],delete d[_.end],C===_?(C.ring.push(E),c(C.ring)):f[_.start]=
d[C.end]={start:_.start,end:C.end,ring:_.ring.concat(C.ring)}):(delete f[C.start],C.ring.unshift(w),f[C.start=A]=C):f[A]=d[S]={start:A,end:S,ring:[w,E]}}}function o(u){
return u[0]*2+u[1]*(e+1)*4}function s(u,l,c){u.forEach(f=>{var d=f[0],h=f[1],p=d|0,g=h|0,m,y=l[g*e+p];d>0&&d<e&&p===d&&(m=l[g*e+p-1],f[0]=d+(c-m)/(y-m)-.5),h>0&&
h<t&&g===h&&(m=l[(g-1)*e+p],f[1]=h+(c-m)/(y-m)-.5)})}return r.contour=i,r.size=function(u){if(!arguments.length)return[e,t];var l=Math.floor(u[0]),c=Math.floor(
u[1]);return l>=0&&c>=0||D("invalid size"),e=l,t=c,r},r.smooth=function(u){return arguments.length?(n=u?s:bY,r):n===s},r}function xY(e){for(var t=0,n=e.length,r=e[n-
1][1]*e[0][0]-e[n-1][0]*e[0][1];++t<n;)r+=e[t-1][1]*e[t][0]-e[t-1][0]*e[t][1];return r}function vY(e,t){for(var n=-1,r=t.length,i;++n<r;)if(i=wY(e,t[n]))return i;
return 0}function wY(e,t){for(var n=t[0],r=t[1],i=-1,a=0,o=e.length,s=o-1;a<o;s=a++){var u=e[a],l=u[0],c=u[1],f=e[s],d=f[0],h=f[1];if(AY(u,f,t))return 0;c>r!=h>
r&&n<(d-l)*(r-c)/(h-c)+l&&(i=-i)}return i}function AY(e,t,n){var r;return EY(e,t,n)&&SY(e[r=+(e[0]===t[0])],n[r],t[r])}function EY(e,t,n){return(t[0]-e[0])*(n[1]-
e[1])===(n[0]-e[0])*(t[1]-e[1])}function SY(e,t,n){return e<=t&&t<=n||n<=t&&t<=e}function DF(e,t,n){return function(r){var i=on(r),a=n?Math.min(i[0],0):i[0],o=i[1],
s=o-a,u=t?sn(a,o,e):s/(e+1);return St(a+u,o,u)}}function Fv(e){T.call(this,null,e)}Fv.Definition={type:"Isocontour",metadata:{generates:!0},params:[{name:"field",
type:"field"},{name:"thresholds",type:"number",array:!0},{name:"levels",type:"number"},{name:"nice",type:"boolean",default:!1},{name:"resolve",type:"enum",values:[
"shared","independent"],default:"independent"},{name:"zero",type:"boolean",default:!0},{name:"smooth",type:"boolean",default:!0},{name:"scale",type:"number",expr:!0},
{name:"translate",type:"number",array:!0,expr:!0},{name:"as",type:"string",null:!0,default:"contour"}]};z(Fv,T,{transform(e,t){if(this.value&&!t.changed()&&!e.modified())
return t.StopPropagation;var n=t.fork(t.NO_SOURCE|t.NO_FIELDS),r=t.materialize(t.SOURCE).source,i=e.field||Et,a=MF().smooth(e.smooth!==!1),o=e.thresholds||CY(r,
i,e),s=e.as===null?null:e.as||"contour",u=[];return r.forEach(l=>{let c=i(l),f=a.size([c.width,c.height])(c.values,R(o)?o:o(c.values));_Y(f,c,l,e),f.forEach(d=>{
u.push(ds(l,Se(s!=null?{[s]:d}:d)))})}),this.value&&(n.rem=this.value),this.value=n.source=n.add=u,n}});function CY(e,t,n){let r=DF(n.levels||10,n.nice,n.zero!==
!1);return n.resolve!=="shared"?r:r(e.map(i=>na(t(i).values)))}function _Y(e,t,n,r){let i=r.scale||t.scale,a=r.translate||t.translate;if(ae(i)&&(i=i(n,r)),ae(a)&&
(a=a(n,r)),(i===1||i==null)&&!a)return;let o=(we(i)?i:i[0])||1,s=(we(i)?i:i[1])||1,u=a&&a[0]||0,l=a&&a[1]||0;e.forEach($F(t,o,s,u,l))}function $F(e,t,n,r,i){let a=e.
x1||0,o=e.y1||0,s=t*n<0;function u(f){f.forEach(l)}function l(f){s&&f.reverse(),f.forEach(c)}function c(f){f[0]=(f[0]-a)*t+r,f[1]=(f[1]-o)*n+i}return function(f){
return f.coordinates.forEach(u),f}}function kF(e,t,n){let r=e>=0?e:Hy(t,n);return Math.round((Math.sqrt(4*r*r+1)-1)/2)}function _v(e){return ae(e)?e:Ke(+e)}function TF(){
var e=u=>u[0],t=u=>u[1],n=gi,r=[-1,-1],i=960,a=500,o=2;function s(u,l){let c=kF(r[0],u,e)>>o,f=kF(r[1],u,t)>>o,d=c?c+2:0,h=f?f+2:0,p=2*d+(i>>o),g=2*h+(a>>o),m=new Float32Array(
p*g),y=new Float32Array(p*g),b=m;u.forEach(v=>{let w=d+(+e(v)>>o),E=h+(+t(v)>>o);w>=0&&w<p&&E>=0&&E<g&&(m[w+E*p]+=+n(v))}),c>0&&f>0?(yl(p,g,m,y,c),bl(p,g,y,m,f),
yl(p,g,m,y,c),bl(p,g,y,m,f),yl(p,g,m,y,c),bl(p,g,y,m,f)):c>0?(yl(p,g,m,y,c),yl(p,g,y,m,c),yl(p,g,m,y,c),b=y):f>0&&(bl(p,g,m,y,f),bl(p,g,y,m,f),bl(p,g,m,y,f),b=y);
let x=l?Math.pow(2,-2*o):1/Oh(b);for(let v=0,w=p*g;v<w;++v)b[v]*=x;return{values:b,scale:1<<o,width:p,height:g,x1:d,y1:h,x2:d+(i>>o),y2:h+(a>>o)}}return s.x=function(u){
return arguments.length?(e=_v(u),s):e},s.y=function(u){return arguments.length?(t=_v(u),s):t},s.weight=function(u){return arguments.length?(n=_v(u),s):n},s.size=
function(u){if(!arguments.length)return[i,a];var l=+u[0],c=+u[1];return l>=0&&c>=0||D("invalid size"),i=l,a=c,s},s.cellSize=function(u){return arguments.length?
((u=+u)>=1||D("invalid cell size"),o=Math.floor(Math.log(u)/Math.LN2),s):1<<o},s.bandwidth=function(u){return arguments.length?(u=H(u),u.length===1&&(u=[+u[0],+u[0]]),
u.length!==2&&D("invalid bandwidth"),r=u,s):r},s}function yl(e,t,n,r,i){let a=(i<<1)+1;for(let o=0;o<t;++o)for(let s=0,u=0;s<e+i;++s)s<e&&(u+=n[s+o*e]),s>=i&&(s>=
a&&(u-=n[s-a+o*e]),r[s-i+o*e]=u/Math.min(s+1,e-1+a-s,a))}function bl(e,t,n,r,i){let a=(i<<1)+1;for(let o=0;o<e;++o)for(let s=0,u=0;s<t+i;++s)s<t&&(u+=n[o+s*e]),
s>=i&&(s>=a&&(u-=n[o+(s-a)*e]),r[o+(s-i)*e]=u/Math.min(s+1,t-1+a-s,a))}function Mv(e){T.call(this,null,e)}Mv.Definition={type:"KDE2D",metadata:{generates:!0},params:[
{name:"size",type:"number",array:!0,length:2,required:!0},{name:"x",type:"field",required:!0},{name:"y",type:"field",required:!0},{name:"weight",type:"field"},{
name:"groupby",type:"field",array:!0},{name:"cellSize",type:"number"},{name:"bandwidth",type:"number",array:!0,length:2},{name:"counts",type:"boolean",default:!1},
{name:"as",type:"string",default:"grid"}]};var kY=["x","y","weight","size","cellSize","bandwidth"];function RF(e,t){return kY.forEach(n=>t[n]!=null?e[n](t[n]):0),
e}z(Mv,T,{transform(e,t){if(this.value&&!t.changed()&&!e.modified())return t.StopPropagation;var n=t.fork(t.NO_SOURCE|t.NO_FIELDS),r=t.materialize(t.SOURCE).source,
i=FY(r,e.groupby),a=(e.groupby||[]).map(Ge),o=RF(TF(),e),s=e.as||"grid",u=[];function l(c,f){for(let d=0;d<a.length;++d)c[a[d]]=f[d];return c}return u=i.map(c=>Se(
l({[s]:o(c,e.counts)},c.dims))),this.value&&(n.rem=this.value),this.value=n.source=n.add=u,n}});function FY(e,t){var n=[],r=c=>c(s),i,a,o,s,u,l;if(t==null)n.push(
e);else for(i={},a=0,o=e.length;a<o;++a)s=e[a],u=t.map(r),l=i[u],l||(i[u]=l=[],l.dims=u,n.push(l)),l.push(s);return n}function Dv(e){T.call(this,null,e)}Dv.Definition=
{type:"Contour",metadata:{generates:!0},params:[{name:"size",type:"number",array:!0,length:2,required:!0},{name:"values",type:"number",array:!0},{name:"x",type:"\
field"},{name:"y",type:"field"},{name:"weight",type:"field"},{name:"cellSize",type:"number"},{name:"bandwidth",type:"number"},{name:"count",type:"number"},{name:"\
nice",type:"boolean",default:!1},{name:"thresholds",type:"number",array:!0},{name:"smooth",type:"boolean",default:!0}]};z(Dv,T,{transform(e,t){if(this.value&&!t.
changed()&&!e.modified())return t.StopPropagation;var n=t.fork(t.NO_SOURCE|t.NO_FIELDS),r=MF().smooth(e.smooth!==!1),i=e.values,a=e.thresholds||DF(e.count||10,e.
nice,!!i),o=e.size,s,u;return i||(i=t.materialize(t.SOURCE).source,s=RF(TF(),e)(i,!0),u=$F(s,s.scale||1,s.scale||1,0,0),o=[s.width,s.height],i=s.values),a=R(a)?
a:a(i),i=r.size(o)(i,a),u&&i.forEach(u),this.value&&(n.rem=this.value),this.value=n.source=n.add=(i||[]).map(Se),n}});var kv="Feature",$v="FeatureCollection",MY="\
MultiPoint";function Tv(e){T.call(this,null,e)}Tv.Definition={type:"GeoJSON",metadata:{},params:[{name:"fields",type:"field",array:!0,length:2},{name:"geojson",
type:"field"}]};z(Tv,T,{transform(e,t){var n=this._features,r=this._points,i=e.fields,a=i&&i[0],o=i&&i[1],s=e.geojson||!i&&Et,u=t.ADD,l;l=e.modified()||t.changed(
t.REM)||t.modified(At(s))||a&&t.modified(At(a))||o&&t.modified(At(o)),(!this.value||l)&&(u=t.SOURCE,this._features=n=[],this._points=r=[]),s&&t.visit(u,c=>n.push(
s(c))),a&&o&&(t.visit(u,c=>{var f=a(c),d=o(c);f!=null&&d!=null&&(f=+f)===f&&(d=+d)===d&&r.push([f,d])}),n=n.concat({type:kv,geometry:{type:MY,coordinates:r}})),
this.value={type:$v,features:n}}});function Rv(e){T.call(this,null,e)}Rv.Definition={type:"GeoPath",metadata:{modifies:!0},params:[{name:"projection",type:"proj\
ection"},{name:"field",type:"field"},{name:"pointRadius",type:"number",expr:!0},{name:"as",type:"string",default:"path"}]};z(Rv,T,{transform(e,t){var n=t.fork(t.
ALL),r=this.value,i=e.field||Et,a=e.as||"path",o=n.SOURCE;!r||e.modified()?(this.value=r=Cv(e.projection),n.materialize().reflow()):o=i===Et||t.modified(i.fields)?
n.ADD_MOD:n.ADD;let s=DY(r,e.pointRadius);return n.visit(o,u=>u[a]=r(i(u))),r.pointRadius(s),n.modifies(a)}});function DY(e,t){let n=e.pointRadius();return e.context(
null),t!=null&&e.pointRadius(t),n}function Ov(e){T.call(this,null,e)}Ov.Definition={type:"GeoPoint",metadata:{modifies:!0},params:[{name:"projection",type:"proj\
ection",required:!0},{name:"fields",type:"field",array:!0,required:!0,length:2},{name:"as",type:"string",array:!0,length:2,default:["x","y"]}]};z(Ov,T,{transform(e,t){
var n=e.projection,r=e.fields[0],i=e.fields[1],a=e.as||["x","y"],o=a[0],s=a[1],u;function l(c){let f=n([r(c),i(c)]);f?(c[o]=f[0],c[s]=f[1]):(c[o]=void 0,c[s]=void 0)}
return e.modified()?t=t.materialize().reflow(!0).visit(t.SOURCE,l):(u=t.modified(r.fields)||t.modified(i.fields),t.visit(u?t.ADD_MOD:t.ADD,l)),t.modifies(a)}});
function Nv(e){T.call(this,null,e)}Nv.Definition={type:"GeoShape",metadata:{modifies:!0,nomod:!0},params:[{name:"projection",type:"projection"},{name:"field",type:"\
field",default:"datum"},{name:"pointRadius",type:"number",expr:!0},{name:"as",type:"string",default:"shape"}]};z(Nv,T,{transform(e,t){var n=t.fork(t.ALL),r=this.
value,i=e.as||"shape",a=n.ADD;return(!r||e.modified())&&(this.value=r=$Y(Cv(e.projection),e.field||gt("datum"),e.pointRadius),n.materialize().reflow(),a=n.SOURCE),
n.visit(a,o=>o[i]=r),n.modifies(i)}});function $Y(e,t,n){let r=n==null?i=>e(t(i)):i=>{var a=e.pointRadius(),o=e.pointRadius(n)(t(i));return e.pointRadius(a),o};
return r.context=i=>(e.context(i),r),r}function Bv(e){T.call(this,[],e),this.generator=L7()}Bv.Definition={type:"Graticule",metadata:{changes:!0,generates:!0},params:[
{name:"extent",type:"array",array:!0,length:2,content:{type:"number",array:!0,length:2}},{name:"extentMajor",type:"array",array:!0,length:2,content:{type:"numbe\
r",array:!0,length:2}},{name:"extentMinor",type:"array",array:!0,length:2,content:{type:"number",array:!0,length:2}},{name:"step",type:"number",array:!0,length:2},
{name:"stepMajor",type:"number",array:!0,length:2,default:[90,360]},{name:"stepMinor",type:"number",array:!0,length:2,default:[10,10]},{name:"precision",type:"n\
umber",default:2.5}]};z(Bv,T,{transform(e,t){var n=this.value,r=this.generator,i;if(!n.length||e.modified())for(let a in e)ae(r[a])&&r[a](e[a]);return i=r(),n.length?
t.mod.push(Zh(n[0],i)):t.add.push(Se(i)),n[0]=i,t}});function Pv(e){T.call(this,null,e)}Pv.Definition={type:"heatmap",metadata:{modifies:!0},params:[{name:"fiel\
d",type:"field"},{name:"color",type:"string",expr:!0},{name:"opacity",type:"number",expr:!0},{name:"resolve",type:"enum",values:["shared","independent"],default:"\
independent"},{name:"as",type:"string",default:"image"}]};z(Pv,T,{transform(e,t){if(!t.changed()&&!e.modified())return t.StopPropagation;var n=t.materialize(t.SOURCE).
source,r=e.resolve==="shared",i=e.field||Et,a=RY(e.opacity,e),o=TY(e.color,e),s=e.as||"image",u={$x:0,$y:0,$value:0,$max:r?na(n.map(l=>na(i(l).values))):0};return n.
forEach(l=>{let c=i(l),f=oe({},l,u);r||(f.$max=na(c.values||[])),l[s]=OY(c,f,o.dep?o:Ke(o(f)),a.dep?a:Ke(a(f)))}),t.reflow(!0).modifies(s)}});function TY(e,t){let n;
return ae(e)?(n=r=>or(e(r,t)),n.dep=OF(e)):n=Ke(or(e||"#888")),n}function RY(e,t){let n;return ae(e)?(n=r=>e(r,t),n.dep=OF(e)):e?n=Ke(e):(n=r=>r.$value/r.$max||
0,n.dep=!0),n}function OF(e){if(!ae(e))return!1;let t=mt(At(e));return t.$x||t.$y||t.$value||t.$max}function OY(e,t,n,r){let i=e.width,a=e.height,o=e.x1||0,s=e.
y1||0,u=e.x2||i,l=e.y2||a,c=e.values,f=c?m=>c[m]:Br,d=br(u-o,l-s),h=d.getContext("2d"),p=h.getImageData(0,0,u-o,l-s),g=p.data;for(let m=s,y=0;m<l;++m){t.$y=m-s;
for(let b=o,x=m*i;b<u;++b,y+=4){t.$x=b-o,t.$value=f(b+x);let v=n(t);g[y+0]=v.r,g[y+1]=v.g,g[y+2]=v.b,g[y+3]=~~(255*r(t))}}return h.putImageData(p,0,0),d}function NF(e){
T.call(this,null,e),this.modified(!0)}z(NF,T,{transform(e,t){let n=this.value;return!n||e.modified("type")?(this.value=n=BY(e.type),dg.forEach(r=>{e[r]!=null&&FF(
n,r,e[r])})):dg.forEach(r=>{e.modified(r)&&FF(n,r,e[r])}),e.pointRadius!=null&&n.path.pointRadius(e.pointRadius),e.fit&&NY(n,e),t.fork(t.NO_SOURCE|t.NO_FIELDS)}});
function NY(e,t){let n=PY(t.fit);t.extent?e.fitExtent(t.extent,n):t.size&&e.fitSize(t.size,n)}function BY(e){let t=hg((e||"mercator").toLowerCase());return t||D(
"Unrecognized projection type: "+e),t()}function FF(e,t,n){ae(e[t])&&e[t](n)}function PY(e){return e=H(e),e.length===1?e[0]:{type:$v,features:e.reduce((t,n)=>t.
concat(IY(n)),[])}}function IY(e){return e.type===$v?e.features:H(e).filter(t=>t!=null).map(t=>t.type===kv?t:{type:kv,geometry:t})}var Hv={};gr(Hv,{force:()=>Gv});function zY(e){let t=+this._x.call(null,e),n=+this._y.call(null,e);return PF(this.cover(t,n),t,n,e)}function PF(e,t,n,r){if(isNaN(t)||isNaN(n))return e;var i,a=e.
_root,o={data:r},s=e._x0,u=e._y0,l=e._x1,c=e._y1,f,d,h,p,g,m,y,b;if(!a)return e._root=o,e;for(;a.length;)if((g=t>=(f=(s+l)/2))?s=f:l=f,(m=n>=(d=(u+c)/2))?u=d:c=
d,i=a,!(a=a[y=m<<1|g]))return i[y]=o,e;if(h=+e._x.call(null,a.data),p=+e._y.call(null,a.data),t===h&&n===p)return o.next=a,i?i[y]=o:e._root=o,e;do i=i?i[y]=new Array(
4):e._root=new Array(4),(g=t>=(f=(s+l)/2))?s=f:l=f,(m=n>=(d=(u+c)/2))?u=d:c=d;while((y=m<<1|g)===(b=(p>=d)<<1|h>=f));return i[b]=a,i[y]=o,e}function LY(e){Array.
isArray(e)||(e=Array.from(e));let t=e.length,n=new Float64Array(t),r=new Float64Array(t),i=1/0,a=i,o=-i,s=o;for(let u=0,l,c,f;u<t;++u){if(isNaN(c=+this._x.call(
null,l=e[u]))||isNaN(f=+this._y.call(null,l))){n[u]=NaN;continue}n[u]=c,r[u]=f,c<i&&(i=c),c>o&&(o=c),f<a&&(a=f),f>s&&(s=f)}if(i>o||a>s)return this;this.cover(i,
a).cover(o,s);for(let u=0;u<t;++u)PF(this,n[u],r[u],e[u]);return this}function UY(e,t){if(isNaN(e=+e)||isNaN(t=+t))return this;var n=this._x0,r=this._y0,i=this.
_x1,a=this._y1;if(isNaN(n))i=(n=Math.floor(e))+1,a=(r=Math.floor(t))+1;else{for(var o=i-n||1,s=this._root,u,l;n>e||e>=i||r>t||t>=a;)switch(l=(t<r)<<1|e<n,u=new Array(
4),u[l]=s,s=u,o*=2,l){case 0:i=n+o,a=r+o;break;case 1:n=i-o,a=r+o;break;case 2:i=n+o,r=a-o;break;case 3:n=i-o,r=a-o;break}this._root&&this._root.length&&(this._root=
s)}return this._x0=n,this._y0=r,this._x1=i,this._y1=a,this}function qY(){var e=[];return this.visit(function(t){if(!t.length)do e.push(t.data);while(t=t.next)}),
e}function jY(e){return arguments.length?this.cover(+e[0][0],+e[0][1]).cover(+e[1][0],+e[1][1]):isNaN(this._x0)?void 0:[[this._x0,this._y0],[this._x1,this._y1]]}
function Fn(e,t,n,r,i){this.node=e,this.x0=t,this.y0=n,this.x1=r,this.y1=i}function WY(e,t,n){var r,i=this._x0,a=this._y0,o,s,u,l,c=this._x1,f=this._y1,d=[],h=this.
_root,p,g;for(h&&d.push(new Fn(h,i,a,c,f)),n==null?n=1/0:(i=e-n,a=t-n,c=e+n,f=t+n,n*=n);p=d.pop();)if(!(!(h=p.node)||(o=p.x0)>c||(s=p.y0)>f||(u=p.x1)<i||(l=p.y1)<
a))if(h.length){var m=(o+u)/2,y=(s+l)/2;d.push(new Fn(h[3],m,y,u,l),new Fn(h[2],o,y,m,l),new Fn(h[1],m,s,u,y),new Fn(h[0],o,s,m,y)),(g=(t>=y)<<1|e>=m)&&(p=d[d.length-
1],d[d.length-1]=d[d.length-1-g],d[d.length-1-g]=p)}else{var b=e-+this._x.call(null,h.data),x=t-+this._y.call(null,h.data),v=b*b+x*x;if(v<n){var w=Math.sqrt(n=v);
i=e-w,a=t-w,c=e+w,f=t+w,r=h.data}}return r}function GY(e){if(isNaN(c=+this._x.call(null,e))||isNaN(f=+this._y.call(null,e)))return this;var t,n=this._root,r,i,a,
o=this._x0,s=this._y0,u=this._x1,l=this._y1,c,f,d,h,p,g,m,y;if(!n)return this;if(n.length)for(;;){if((p=c>=(d=(o+u)/2))?o=d:u=d,(g=f>=(h=(s+l)/2))?s=h:l=h,t=n,!(n=
n[m=g<<1|p]))return this;if(!n.length)break;(t[m+1&3]||t[m+2&3]||t[m+3&3])&&(r=t,y=m)}for(;n.data!==e;)if(i=n,!(n=n.next))return this;return(a=n.next)&&delete n.
next,i?(a?i.next=a:delete i.next,this):t?(a?t[m]=a:delete t[m],(n=t[0]||t[1]||t[2]||t[3])&&n===(t[3]||t[2]||t[1]||t[0])&&!n.length&&(r?r[y]=n:this._root=n),this):
(this._root=a,this)}function HY(e){for(var t=0,n=e.length;t<n;++t)this.remove(e[t]);return this}function YY(){return this._root}function VY(){var e=0;return this.
visit(function(t){if(!t.length)do++e;while(t=t.next)}),e}function XY(e){var t=[],n,r=this._root,i,a,o,s,u;for(r&&t.push(new Fn(r,this._x0,this._y0,this._x1,this.
_y1));n=t.pop();)if(!e(r=n.node,a=n.x0,o=n.y0,s=n.x1,u=n.y1)&&r.length){var l=(a+s)/2,c=(o+u)/2;(i=r[3])&&t.push(new Fn(i,l,c,s,u)),(i=r[2])&&t.push(new Fn(i,a,
c,l,u)),(i=r[1])&&t.push(new Fn(i,l,o,s,c)),(i=r[0])&&t.push(new Fn(i,a,o,l,c))}return this}function KY(e){var t=[],n=[],r;for(this._root&&t.push(new Fn(this._root,
this._x0,this._y0,this._x1,this._y1));r=t.pop();){var i=r.node;if(i.length){var a,o=r.x0,s=r.y0,u=r.x1,l=r.y1,c=(o+u)/2,f=(s+l)/2;(a=i[0])&&t.push(new Fn(a,o,s,
c,f)),(a=i[1])&&t.push(new Fn(a,c,s,u,f)),(a=i[2])&&t.push(new Fn(a,o,f,c,l)),(a=i[3])&&t.push(new Fn(a,c,f,u,l))}n.push(r)}for(;r=n.pop();)e(r.node,r.x0,r.y0,r.
x1,r.y1);return this}function QY(e){return e[0]}function ZY(e){return arguments.length?(this._x=e,this):this._x}function JY(e){return e[1]}function eV(e){return arguments.
length?(this._y=e,this):this._y}function pg(e,t,n){var r=new zv(t??QY,n??JY,NaN,NaN,NaN,NaN);return e==null?r:r.addAll(e)}function zv(e,t,n,r,i,a){this._x=e,this.
_y=t,this._x0=n,this._y0=r,this._x1=i,this._y1=a,this._root=void 0}function BF(e){for(var t={data:e.data},n=t;e=e.next;)n=n.next={data:e.data};return t}var Mn=pg.
prototype=zv.prototype;Mn.copy=function(){var e=new zv(this._x,this._y,this._x0,this._y0,this._x1,this._y1),t=this._root,n,r;if(!t)return e;if(!t.length)return e.
_root=BF(t),e;for(n=[{source:t,target:e._root=new Array(4)}];t=n.pop();)for(var i=0;i<4;++i)(r=t.source[i])&&(r.length?n.push({source:r,target:t.target[i]=new Array(
4)}):t.target[i]=BF(r));return e};Mn.add=zY;Mn.addAll=LY;Mn.cover=UY;Mn.data=qY;Mn.extent=jY;Mn.find=WY;Mn.remove=GY;Mn.removeAll=HY;Mn.root=YY;Mn.size=VY;Mn.visit=
XY;Mn.visitAfter=KY;Mn.x=ZY;Mn.y=eV;var tV={value:()=>{}};function Lv(){for(var e=0,t=arguments.length,n={},r;e<t;++e){if(!(r=arguments[e]+"")||r in n||/[\s.]/.test(r))throw new Error("illegal typ\
e: "+r);n[r]=[]}return new gg(n)}function gg(e){this._=e}function nV(e,t){return e.trim().split(/^|\s+/).map(function(n){var r="",i=n.indexOf(".");if(i>=0&&(r=n.
slice(i+1),n=n.slice(0,i)),n&&!t.hasOwnProperty(n))throw new Error("unknown type: "+n);return{type:n,name:r}})}gg.prototype=Lv.prototype={constructor:gg,on:function(e,t){
var n=this._,r=nV(e+"",n),i,a=-1,o=r.length;if(arguments.length<2){for(;++a<o;)if((i=(e=r[a]).type)&&(i=rV(n[i],e.name)))return i;return}if(t!=null&&typeof t!="\
function")throw new Error("invalid callback: "+t);for(;++a<o;)if(i=(e=r[a]).type)n[i]=IF(n[i],e.name,t);else if(t==null)for(i in n)n[i]=IF(n[i],e.name,null);return this},
copy:function(){var e={},t=this._;for(var n in t)e[n]=t[n].slice();return new gg(e)},call:function(e,t){if((i=arguments.length-2)>0)for(var n=new Array(i),r=0,i,
a;r<i;++r)n[r]=arguments[r+2];if(!this._.hasOwnProperty(e))throw new Error("unknown type: "+e);for(a=this._[e],r=0,i=a.length;r<i;++r)a[r].value.apply(t,n)},apply:function(e,t,n){
if(!this._.hasOwnProperty(e))throw new Error("unknown type: "+e);for(var r=this._[e],i=0,a=r.length;i<a;++i)r[i].value.apply(t,n)}};function rV(e,t){for(var n=0,
r=e.length,i;n<r;++n)if((i=e[n]).name===t)return i.value}function IF(e,t,n){for(var r=0,i=e.length;r<i;++r)if(e[r].name===t){e[r]=tV,e=e.slice(0,r).concat(e.slice(
r+1));break}return n!=null&&e.push({name:t,value:n}),e}var xl=0,Yf=0,Hf=0,LF=1e3,mg,Vf,yg=0,Ps=0,xg=0,Xf=typeof performance=="object"&&performance.now?performance:Date,UF=typeof window=="object"&&window.requestAnimationFrame?
window.requestAnimationFrame.bind(window):function(e){setTimeout(e,17)};function qv(){return Ps||(UF(iV),Ps=Xf.now()+xg)}function iV(){Ps=0}function bg(){this._call=
this._time=this._next=null}bg.prototype=jv.prototype={constructor:bg,restart:function(e,t,n){if(typeof e!="function")throw new TypeError("callback is not a func\
tion");n=(n==null?qv():+n)+(t==null?0:+t),!this._next&&Vf!==this&&(Vf?Vf._next=this:mg=this,Vf=this),this._call=e,this._time=n,Uv()},stop:function(){this._call&&
(this._call=null,this._time=1/0,Uv())}};function jv(e,t,n){var r=new bg;return r.restart(e,t,n),r}function aV(){qv(),++xl;for(var e=mg,t;e;)(t=Ps-e._time)>=0&&e.
_call.call(void 0,t),e=e._next;--xl}function zF(){Ps=(yg=Xf.now())+xg,xl=Yf=0;try{aV()}finally{xl=0,sV(),Ps=0}}function oV(){var e=Xf.now(),t=e-yg;t>LF&&(xg-=t,
yg=e)}function sV(){for(var e,t=mg,n,r=1/0;t;)t._call?(r>t._time&&(r=t._time),e=t,t=t._next):(n=t._next,t._next=null,t=e?e._next=n:mg=n);Vf=e,Uv(r)}function Uv(e){
if(!xl){Yf&&(Yf=clearTimeout(Yf));var t=e-Ps;t>24?(e<1/0&&(Yf=setTimeout(zF,Math.ceil(e-Xf.now()-xg)+1)),Hf&&(Hf=clearInterval(Hf))):(Hf||(yg=Xf.now(),Hf=setInterval(
oV,LF)),xl=1,UF(zF))}}function qF(e,t,n){var r=new bg,i=t;return t==null?(r.restart(e,t,n),r):(r._restart=r.restart,r.restart=function(a,o,s){o=+o,s=s==null?qv():+s,r._restart(function u(l){
l+=i,r._restart(u,i+=o,s),a(l)},o,s)},r.restart(e,t,n),r)}function GF(e,t){var n,r=1;e==null&&(e=0),t==null&&(t=0);function i(){var a,o=n.length,s,u=0,l=0;for(a=0;a<o;++a)s=n[a],u+=s.x,l+=s.y;for(u=(u/o-e)*r,l=(l/o-t)*
r,a=0;a<o;++a)s=n[a],s.x-=u,s.y-=l}return i.initialize=function(a){n=a},i.x=function(a){return arguments.length?(e=+a,i):e},i.y=function(a){return arguments.length?
(t=+a,i):t},i.strength=function(a){return arguments.length?(r=+a,i):r},i}function Dn(e){return function(){return e}}function Mo(e){return(e()-.5)*1e-6}function uV(e){
return e.x+e.vx}function lV(e){return e.y+e.vy}function HF(e){var t,n,r,i=1,a=1;typeof e!="function"&&(e=Dn(e==null?1:+e));function o(){for(var l,c=t.length,f,d,
h,p,g,m,y=0;y<a;++y)for(f=pg(t,uV,lV).visitAfter(s),l=0;l<c;++l)d=t[l],g=n[d.index],m=g*g,h=d.x+d.vx,p=d.y+d.vy,f.visit(b);function b(x,v,w,E,A){var S=x.data,C=x.
r,_=g+C;if(S){if(S.index>d.index){var k=h-S.x-S.vx,M=p-S.y-S.vy,$=k*k+M*M;$<_*_&&(k===0&&(k=Mo(r),$+=k*k),M===0&&(M=Mo(r),$+=M*M),$=(_-($=Math.sqrt($)))/$*i,d.vx+=
(k*=$)*(_=(C*=C)/(m+C)),d.vy+=(M*=$)*_,S.vx-=k*(_=1-_),S.vy-=M*_)}return}return v>h+_||E<h-_||w>p+_||A<p-_}}function s(l){if(l.data)return l.r=n[l.data.index];for(var c=l.
r=0;c<4;++c)l[c]&&l[c].r>l.r&&(l.r=l[c].r)}function u(){if(t){var l,c=t.length,f;for(n=new Array(c),l=0;l<c;++l)f=t[l],n[f.index]=+e(f,l,t)}}return o.initialize=
function(l,c){t=l,r=c,u()},o.iterations=function(l){return arguments.length?(a=+l,o):a},o.strength=function(l){return arguments.length?(i=+l,o):i},o.radius=function(l){
return arguments.length?(e=typeof l=="function"?l:Dn(+l),u(),o):e},o}function cV(e){return e.index}function jF(e,t){var n=e.get(t);if(!n)throw new Error("node n\
ot found: "+t);return n}function YF(e){var t=cV,n=f,r,i=Dn(30),a,o,s,u,l,c=1;e==null&&(e=[]);function f(m){return 1/Math.min(s[m.source.index],s[m.target.index])}
function d(m){for(var y=0,b=e.length;y<c;++y)for(var x=0,v,w,E,A,S,C,_;x<b;++x)v=e[x],w=v.source,E=v.target,A=E.x+E.vx-w.x-w.vx||Mo(l),S=E.y+E.vy-w.y-w.vy||Mo(l),
C=Math.sqrt(A*A+S*S),C=(C-a[x])/C*m*r[x],A*=C,S*=C,E.vx-=A*(_=u[x]),E.vy-=S*_,w.vx+=A*(_=1-_),w.vy+=S*_}function h(){if(o){var m,y=o.length,b=e.length,x=new Map(
o.map((w,E)=>[t(w,E,o),w])),v;for(m=0,s=new Array(y);m<b;++m)v=e[m],v.index=m,typeof v.source!="object"&&(v.source=jF(x,v.source)),typeof v.target!="object"&&(v.
target=jF(x,v.target)),s[v.source.index]=(s[v.source.index]||0)+1,s[v.target.index]=(s[v.target.index]||0)+1;for(m=0,u=new Array(b);m<b;++m)v=e[m],u[m]=s[v.source.
index]/(s[v.source.index]+s[v.target.index]);r=new Array(b),p(),a=new Array(b),g()}}function p(){if(o)for(var m=0,y=e.length;m<y;++m)r[m]=+n(e[m],m,e)}function g(){
if(o)for(var m=0,y=e.length;m<y;++m)a[m]=+i(e[m],m,e)}return d.initialize=function(m,y){o=m,l=y,h()},d.links=function(m){return arguments.length?(e=m,h(),d):e},
d.id=function(m){return arguments.length?(t=m,d):t},d.iterations=function(m){return arguments.length?(c=+m,d):c},d.strength=function(m){return arguments.length?
(n=typeof m=="function"?m:Dn(+m),p(),d):n},d.distance=function(m){return arguments.length?(i=typeof m=="function"?m:Dn(+m),g(),d):i},d}var fV=1664525,dV=1013904223,
WF=4294967296;function hV(){let e=1;return()=>(e=(fV*e+dV)%WF)/WF}function pV(e){return e.x}function gV(e){return e.y}var mV=10,yV=Math.PI*(3-Math.sqrt(5));function VF(e){
var t,n=1,r=.001,i=1-Math.pow(r,1/300),a=0,o=.6,s=new Map,u=jv(f),l=Lv("tick","end"),c=hV();e==null&&(e=[]);function f(){d(),l.call("tick",t),n<r&&(u.stop(),l.call(
"end",t))}function d(g){var m,y=e.length,b;g===void 0&&(g=1);for(var x=0;x<g;++x)for(n+=(a-n)*i,s.forEach(function(v){v(n)}),m=0;m<y;++m)b=e[m],b.fx==null?b.x+=
b.vx*=o:(b.x=b.fx,b.vx=0),b.fy==null?b.y+=b.vy*=o:(b.y=b.fy,b.vy=0);return t}function h(){for(var g=0,m=e.length,y;g<m;++g){if(y=e[g],y.index=g,y.fx!=null&&(y.x=
y.fx),y.fy!=null&&(y.y=y.fy),isNaN(y.x)||isNaN(y.y)){var b=mV*Math.sqrt(.5+g),x=g*yV;y.x=b*Math.cos(x),y.y=b*Math.sin(x)}(isNaN(y.vx)||isNaN(y.vy))&&(y.vx=y.vy=
0)}}function p(g){return g.initialize&&g.initialize(e,c),g}return h(),t={tick:d,restart:function(){return u.restart(f),t},stop:function(){return u.stop(),t},nodes:function(g){
return arguments.length?(e=g,h(),s.forEach(p),t):e},alpha:function(g){return arguments.length?(n=+g,t):n},alphaMin:function(g){return arguments.length?(r=+g,t):
r},alphaDecay:function(g){return arguments.length?(i=+g,t):+i},alphaTarget:function(g){return arguments.length?(a=+g,t):a},velocityDecay:function(g){return arguments.
length?(o=1-g,t):1-o},randomSource:function(g){return arguments.length?(c=g,s.forEach(p),t):c},force:function(g,m){return arguments.length>1?(m==null?s.delete(g):
s.set(g,p(m)),t):s.get(g)},find:function(g,m,y){var b=0,x=e.length,v,w,E,A,S;for(y==null?y=1/0:y*=y,b=0;b<x;++b)A=e[b],v=g-A.x,w=m-A.y,E=v*v+w*w,E<y&&(S=A,y=E);
return S},on:function(g,m){return arguments.length>1?(l.on(g,m),t):l.on(g)}}}function XF(){var e,t,n,r,i=Dn(-30),a,o=1,s=1/0,u=.81;function l(h){var p,g=e.length,
m=pg(e,pV,gV).visitAfter(f);for(r=h,p=0;p<g;++p)t=e[p],m.visit(d)}function c(){if(e){var h,p=e.length,g;for(a=new Array(p),h=0;h<p;++h)g=e[h],a[g.index]=+i(g,h,
e)}}function f(h){var p=0,g,m,y=0,b,x,v;if(h.length){for(b=x=v=0;v<4;++v)(g=h[v])&&(m=Math.abs(g.value))&&(p+=g.value,y+=m,b+=m*g.x,x+=m*g.y);h.x=b/y,h.y=x/y}else{
g=h,g.x=g.data.x,g.y=g.data.y;do p+=a[g.data.index];while(g=g.next)}h.value=p}function d(h,p,g,m){if(!h.value)return!0;var y=h.x-t.x,b=h.y-t.y,x=m-p,v=y*y+b*b;if(x*
x/u<v)return v<s&&(y===0&&(y=Mo(n),v+=y*y),b===0&&(b=Mo(n),v+=b*b),v<o&&(v=Math.sqrt(o*v)),t.vx+=y*h.value*r/v,t.vy+=b*h.value*r/v),!0;if(h.length||v>=s)return;
(h.data!==t||h.next)&&(y===0&&(y=Mo(n),v+=y*y),b===0&&(b=Mo(n),v+=b*b),v<o&&(v=Math.sqrt(o*v)));do h.data!==t&&(x=a[h.data.index]*r/v,t.vx+=y*x,t.vy+=b*x);while(h=
h.next)}return l.initialize=function(h,p){e=h,n=p,c()},l.strength=function(h){return arguments.length?(i=typeof h=="function"?h:Dn(+h),c(),l):i},l.distanceMin=function(h){
return arguments.length?(o=h*h,l):Math.sqrt(o)},l.distanceMax=function(h){return arguments.length?(s=h*h,l):Math.sqrt(s)},l.theta=function(h){return arguments.length?
(u=h*h,l):Math.sqrt(u)},l}function KF(e){var t=Dn(.1),n,r,i;typeof e!="function"&&(e=Dn(e==null?0:+e));function a(s){for(var u=0,l=n.length,c;u<l;++u)c=n[u],c.vx+=(i[u]-c.x)*r[u]*s}function o(){
if(n){var s,u=n.length;for(r=new Array(u),i=new Array(u),s=0;s<u;++s)r[s]=isNaN(i[s]=+e(n[s],s,n))?0:+t(n[s],s,n)}}return a.initialize=function(s){n=s,o()},a.strength=
function(s){return arguments.length?(t=typeof s=="function"?s:Dn(+s),o(),a):t},a.x=function(s){return arguments.length?(e=typeof s=="function"?s:Dn(+s),o(),a):e},
a}function QF(e){var t=Dn(.1),n,r,i;typeof e!="function"&&(e=Dn(e==null?0:+e));function a(s){for(var u=0,l=n.length,c;u<l;++u)c=n[u],c.vy+=(i[u]-c.y)*r[u]*s}function o(){
if(n){var s,u=n.length;for(r=new Array(u),i=new Array(u),s=0;s<u;++s)r[s]=isNaN(i[s]=+e(n[s],s,n))?0:+t(n[s],s,n)}}return a.initialize=function(s){n=s,o()},a.strength=
function(s){return arguments.length?(t=typeof s=="function"?s:Dn(+s),o(),a):t},a.y=function(s){return arguments.length?(e=typeof s=="function"?s:Dn(+s),o(),a):e},
a}var ZF={center:GF,collide:HF,nbody:XF,link:YF,x:KF,y:QF},Kf="forces",Wv=["alpha","alphaMin","alphaTarget","velocityDecay","forces"],bV=["static","iterations"],JF=[
"x","y","vx","vy"];function Gv(e){T.call(this,null,e)}Gv.Definition={type:"Force",metadata:{modifies:!0},params:[{name:"static",type:"boolean",default:!1},{name:"\
restart",type:"boolean",default:!1},{name:"iterations",type:"number",default:300},{name:"alpha",type:"number",default:1},{name:"alphaMin",type:"number",default:.001},
{name:"alphaTarget",type:"number",default:0},{name:"velocityDecay",type:"number",default:.4},{name:"forces",type:"param",array:!0,params:[{key:{force:"center"},
params:[{name:"x",type:"number",default:0},{name:"y",type:"number",default:0}]},{key:{force:"collide"},params:[{name:"radius",type:"number",expr:!0},{name:"stre\
ngth",type:"number",default:.7},{name:"iterations",type:"number",default:1}]},{key:{force:"nbody"},params:[{name:"strength",type:"number",default:-30,expr:!0},{
name:"theta",type:"number",default:.9},{name:"distanceMin",type:"number",default:1},{name:"distanceMax",type:"number"}]},{key:{force:"link"},params:[{name:"link\
s",type:"data"},{name:"id",type:"field"},{name:"distance",type:"number",default:30,expr:!0},{name:"strength",type:"number",expr:!0},{name:"iterations",type:"num\
ber",default:1}]},{key:{force:"x"},params:[{name:"strength",type:"number",default:.1},{name:"x",type:"field"}]},{key:{force:"y"},params:[{name:"strength",type:"\
number",default:.1},{name:"y",type:"field"}]}]},{name:"as",type:"string",array:!0,modify:!1,default:JF}]};z(Gv,T,{transform(e,t){var n=this.value,r=t.changed(t.
ADD_REM),i=e.modified(Wv),a=e.iterations||300;if(n?(r&&(t.modifies("index"),n.nodes(t.source)),(i||t.changed(t.MOD))&&e9(n,e,0,t)):(this.value=n=vV(t.source,e),
n.on("tick",xV(t.dataflow,this)),e.static||(r=!0,n.tick()),t.modifies("index")),i||r||e.modified(bV)||t.changed()&&e.restart){if(n.alpha(Math.max(n.alpha(),e.alpha||
1)).alphaDecay(1-Math.pow(n.alphaMin(),1/a)),e.static)for(n.stop();--a>=0;)n.tick();else if(n.stopped()&&n.restart(),!r)return t.StopPropagation}return this.finish(
e,t)},finish(e,t){let n=t.dataflow;for(let s=this._argops,u=0,l=s.length,c;u<l;++u)if(c=s[u],!(c.name!==Kf||c.op._argval.force!=="link")){for(var r=c.op._argops,
i=0,a=r.length,o;i<a;++i)if(r[i].name==="links"&&(o=r[i].op.source)){n.pulse(o,n.changeset().reflow());break}}return t.reflow(e.modified()).modifies(JF)}});function xV(e,t){
return()=>e.touch(t).run()}function vV(e,t){let n=VF(e),r=n.stop,i=n.restart,a=!1;return n.stopped=()=>a,n.restart=()=>(a=!1,i()),n.stop=()=>(a=!0,r()),e9(n,t,!0).
on("end",()=>a=!0)}function e9(e,t,n,r){var i=H(t.forces),a,o,s,u;for(a=0,o=Wv.length;a<o;++a)s=Wv[a],s!==Kf&&t.modified(s)&&e[s](t[s]);for(a=0,o=i.length;a<o;++a)
u=Kf+a,s=n||t.modified(Kf,a)?AV(i[a]):r&&wV(i[a],r)?e.force(u):null,s&&e.force(u,s);for(o=e.numForces||0;a<o;++a)e.force(Kf+a,null);return e.numForces=i.length,
e}function wV(e,t){var n,r;for(n in e)if(ae(r=e[n])&&t.modified(At(r)))return 1;return 0}function AV(e){var t,n;Y(ZF,e.force)||D("Unrecognized force: "+e.force),
t=ZF[e.force]();for(n in e)ae(t[n])&&EV(t[n],e[n],e);return t}function EV(e,t,n){e(ae(t)?r=>t(r,n):t)}var hw={};gr(hw,{nest:()=>ow,pack:()=>sw,partition:()=>uw,stratify:()=>lw,tree:()=>cw,treelinks:()=>fw,treemap:()=>dw});function SV(e,t){return e.parent===t.parent?1:2}function CV(e){return e.reduce(_V,0)/e.length}function _V(e,t){return e+t.x}function kV(e){return 1+e.reduce(FV,
0)}function FV(e,t){return Math.max(e,t.y)}function MV(e){for(var t;t=e.children;)e=t[0];return e}function DV(e){for(var t;t=e.children;)e=t[t.length-1];return e}
function l9(){var e=SV,t=1,n=1,r=!1;function i(a){var o,s=0;a.eachAfter(function(d){var h=d.children;h?(d.x=CV(h),d.y=kV(h)):(d.x=o?s+=e(d,o):0,d.y=0,o=d)});var u=MV(
a),l=DV(a),c=u.x-e(u,l)/2,f=l.x+e(l,u)/2;return a.eachAfter(r?function(d){d.x=(d.x-a.x)*t,d.y=(a.y-d.y)*n}:function(d){d.x=(d.x-c)/(f-c)*t,d.y=(1-(a.y?d.y/a.y:1))*
n})}return i.separation=function(a){return arguments.length?(e=a,i):e},i.size=function(a){return arguments.length?(r=!1,t=+a[0],n=+a[1],i):r?null:[t,n]},i.nodeSize=
function(a){return arguments.length?(r=!0,t=+a[0],n=+a[1],i):r?[t,n]:null},i}function $V(e){var t=0,n=e.children,r=n&&n.length;if(!r)t=1;else for(;--r>=0;)t+=n[r].
value;e.value=t}function TV(){return this.eachAfter($V)}function RV(e,t){let n=-1;for(let r of this)e.call(t,r,++n,this);return this}function OV(e,t){for(var n=this,
r=[n],i,a,o=-1;n=r.pop();)if(e.call(t,n,++o,this),i=n.children)for(a=i.length-1;a>=0;--a)r.push(i[a]);return this}function NV(e,t){for(var n=this,r=[n],i=[],a,o,
s,u=-1;n=r.pop();)if(i.push(n),a=n.children)for(o=0,s=a.length;o<s;++o)r.push(a[o]);for(;n=i.pop();)e.call(t,n,++u,this);return this}function BV(e,t){let n=-1;for(let r of this)
if(e.call(t,r,++n,this))return r}function PV(e){return this.eachAfter(function(t){for(var n=+e(t.data)||0,r=t.children,i=r&&r.length;--i>=0;)n+=r[i].value;t.value=
n})}function IV(e){return this.eachBefore(function(t){t.children&&t.children.sort(e)})}function zV(e){for(var t=this,n=LV(t,e),r=[t];t!==n;)t=t.parent,r.push(t);
for(var i=r.length;e!==n;)r.splice(i,0,e),e=e.parent;return r}function LV(e,t){if(e===t)return e;var n=e.ancestors(),r=t.ancestors(),i=null;for(e=n.pop(),t=r.pop();e===
t;)i=e,e=n.pop(),t=r.pop();return i}function UV(){for(var e=this,t=[e];e=e.parent;)t.push(e);return t}function qV(){return Array.from(this)}function jV(){var e=[];
return this.eachBefore(function(t){t.children||e.push(t)}),e}function WV(){var e=this,t=[];return e.each(function(n){n!==e&&t.push({source:n.parent,target:n})}),
t}function*GV(){var e=this,t,n=[e],r,i,a;do for(t=n.reverse(),n=[];e=t.pop();)if(yield e,r=e.children)for(i=0,a=r.length;i<a;++i)n.push(r[i]);while(n.length)}function Sg(e,t){
e instanceof Map?(e=[void 0,e],t===void 0&&(t=VV)):t===void 0&&(t=YV);for(var n=new wl(e),r,i=[n],a,o,s,u;r=i.pop();)if((o=t(r.data))&&(u=(o=Array.from(o)).length))
for(r.children=o,s=u-1;s>=0;--s)i.push(a=o[s]=new wl(o[s])),a.parent=r,a.depth=r.depth+1;return n.eachBefore(c9)}function HV(){return Sg(this).eachBefore(XV)}function YV(e){
return e.children}function VV(e){return Array.isArray(e)?e[1]:null}function XV(e){e.data.value!==void 0&&(e.value=e.data.value),e.data=e.data.data}function c9(e){
var t=0;do e.height=t;while((e=e.parent)&&e.height<++t)}function wl(e){this.data=e,this.depth=this.height=0,this.parent=null}wl.prototype=Sg.prototype={constructor:wl,
count:TV,each:RV,eachAfter:NV,eachBefore:OV,find:BV,sum:PV,sort:IV,path:zV,ancestors:UV,descendants:qV,leaves:jV,links:WV,copy:HV,[Symbol.iterator]:GV};function Ag(e){
return e==null?null:f9(e)}function f9(e){if(typeof e!="function")throw new Error;return e}function Is(){return 0}function vl(e){return function(){return e}}var KV=1664525,
QV=1013904223,t9=4294967296;function ZV(){let e=1;return()=>(e=(KV*e+QV)%t9)/t9}function JV(e){return typeof e=="object"&&"length"in e?e:Array.from(e)}function eX(e,t){
let n=e.length,r,i;for(;n;)i=t()*n--|0,r=e[n],e[n]=e[i],e[i]=r;return e}function tX(e,t){for(var n=0,r=(e=eX(Array.from(e),t)).length,i=[],a,o;n<r;)a=e[n],o&&d9(o,a)?++n:(o=rX(i=nX(i,a)),n=0);return o}function nX(e,t){var n,r;if(Yv(
t,e))return[t];for(n=0;n<e.length;++n)if(vg(t,e[n])&&Yv(Qf(e[n],t),e))return[e[n],t];for(n=0;n<e.length-1;++n)for(r=n+1;r<e.length;++r)if(vg(Qf(e[n],e[r]),t)&&vg(
Qf(e[n],t),e[r])&&vg(Qf(e[r],t),e[n])&&Yv(h9(e[n],e[r],t),e))return[e[n],e[r],t];throw new Error}function vg(e,t){var n=e.r-t.r,r=t.x-e.x,i=t.y-e.y;return n<0||
n*n<r*r+i*i}function d9(e,t){var n=e.r-t.r+Math.max(e.r,t.r,1)*1e-9,r=t.x-e.x,i=t.y-e.y;return n>0&&n*n>r*r+i*i}function Yv(e,t){for(var n=0;n<t.length;++n)if(!d9(
e,t[n]))return!1;return!0}function rX(e){switch(e.length){case 1:return iX(e[0]);case 2:return Qf(e[0],e[1]);case 3:return h9(e[0],e[1],e[2])}}function iX(e){return{
x:e.x,y:e.y,r:e.r}}function Qf(e,t){var n=e.x,r=e.y,i=e.r,a=t.x,o=t.y,s=t.r,u=a-n,l=o-r,c=s-i,f=Math.sqrt(u*u+l*l);return{x:(n+a+u/f*c)/2,y:(r+o+l/f*c)/2,r:(f+i+
s)/2}}function h9(e,t,n){var r=e.x,i=e.y,a=e.r,o=t.x,s=t.y,u=t.r,l=n.x,c=n.y,f=n.r,d=r-o,h=r-l,p=i-s,g=i-c,m=u-a,y=f-a,b=r*r+i*i-a*a,x=b-o*o-s*s+u*u,v=b-l*l-c*c+
f*f,w=h*p-d*g,E=(p*v-g*x)/(w*2)-r,A=(g*m-p*y)/w,S=(h*x-d*v)/(w*2)-i,C=(d*y-h*m)/w,_=A*A+C*C-1,k=2*(a+E*A+S*C),M=E*E+S*S-a*a,$=-(Math.abs(_)>1e-6?(k+Math.sqrt(k*
k-4*_*M))/(2*_):M/k);return{x:r+E+A*$,y:i+S+C*$,r:$}}function n9(e,t,n){var r=e.x-t.x,i,a,o=e.y-t.y,s,u,l=r*r+o*o;l?(a=t.r+n.r,a*=a,u=e.r+n.r,u*=u,a>u?(i=(l+u-a)/
(2*l),s=Math.sqrt(Math.max(0,u/l-i*i)),n.x=e.x-i*r-s*o,n.y=e.y-i*o+s*r):(i=(l+a-u)/(2*l),s=Math.sqrt(Math.max(0,a/l-i*i)),n.x=t.x+i*r-s*o,n.y=t.y+i*o+s*r)):(n.x=
t.x+n.r,n.y=t.y)}function r9(e,t){var n=e.r+t.r-1e-6,r=t.x-e.x,i=t.y-e.y;return n>0&&n*n>r*r+i*i}function i9(e){var t=e._,n=e.next._,r=t.r+n.r,i=(t.x*n.r+n.x*t.
r)/r,a=(t.y*n.r+n.y*t.r)/r;return i*i+a*a}function wg(e){this._=e,this.next=null,this.previous=null}function aX(e,t){if(!(a=(e=JV(e)).length))return 0;var n,r,i,
a,o,s,u,l,c,f,d;if(n=e[0],n.x=0,n.y=0,!(a>1))return n.r;if(r=e[1],n.x=-r.r,r.x=n.r,r.y=0,!(a>2))return n.r+r.r;n9(r,n,i=e[2]),n=new wg(n),r=new wg(r),i=new wg(i),
n.next=i.previous=r,r.next=n.previous=i,i.next=r.previous=n;e:for(u=3;u<a;++u){n9(n._,r._,i=e[u]),i=new wg(i),l=r.next,c=n.previous,f=r._.r,d=n._.r;do if(f<=d){
if(r9(l._,i._)){r=l,n.next=r,r.previous=n,--u;continue e}f+=l._.r,l=l.next}else{if(r9(c._,i._)){n=c,n.next=r,r.previous=n,--u;continue e}d+=c._.r,c=c.previous}while(l!==
c.next);for(i.previous=n,i.next=r,n.next=r.previous=r=i,o=i9(n);(i=i.next)!==r;)(s=i9(i))<o&&(n=i,o=s);r=n.next}for(n=[r._],i=r;(i=i.next)!==r;)n.push(i._);for(i=
tX(n,t),u=0;u<a;++u)n=e[u],n.x-=i.x,n.y-=i.y;return i.r}function oX(e){return Math.sqrt(e.value)}function p9(){var e=null,t=1,n=1,r=Is;function i(a){let o=ZV();return a.x=t/2,a.y=n/2,e?a.eachBefore(a9(e)).eachAfter(Vv(
r,.5,o)).eachBefore(o9(1)):a.eachBefore(a9(oX)).eachAfter(Vv(Is,1,o)).eachAfter(Vv(r,a.r/Math.min(t,n),o)).eachBefore(o9(Math.min(t,n)/(2*a.r))),a}return i.radius=
function(a){return arguments.length?(e=Ag(a),i):e},i.size=function(a){return arguments.length?(t=+a[0],n=+a[1],i):[t,n]},i.padding=function(a){return arguments.
length?(r=typeof a=="function"?a:vl(+a),i):r},i}function a9(e){return function(t){t.children||(t.r=Math.max(0,+e(t)||0))}}function Vv(e,t,n){return function(r){
if(i=r.children){var i,a,o=i.length,s=e(r)*t||0,u;if(s)for(a=0;a<o;++a)i[a].r+=s;if(u=aX(i,n),s)for(a=0;a<o;++a)i[a].r-=s;r.r=u+s}}}function o9(e){return function(t){
var n=t.parent;t.r*=e,n&&(t.x=n.x+e*t.x,t.y=n.y+e*t.y)}}function g9(e){e.x0=Math.round(e.x0),e.y0=Math.round(e.y0),e.x1=Math.round(e.x1),e.y1=Math.round(e.y1)}function Al(e,t,n,r,i){
for(var a=e.children,o,s=-1,u=a.length,l=e.value&&(r-t)/e.value;++s<u;)o=a[s],o.y0=n,o.y1=i,o.x0=t,o.x1=t+=o.value*l}function m9(){var e=1,t=1,n=0,r=!1;function i(o){
var s=o.height+1;return o.x0=o.y0=n,o.x1=e,o.y1=t/s,o.eachBefore(a(t,s)),r&&o.eachBefore(g9),o}function a(o,s){return function(u){u.children&&Al(u,u.x0,o*(u.depth+
1)/s,u.x1,o*(u.depth+2)/s);var l=u.x0,c=u.y0,f=u.x1-n,d=u.y1-n;f<l&&(l=f=(l+f)/2),d<c&&(c=d=(c+d)/2),u.x0=l,u.y0=c,u.x1=f,u.y1=d}}return i.round=function(o){return arguments.
length?(r=!!o,i):r},i.size=function(o){return arguments.length?(e=+o[0],t=+o[1],i):[e,t]},i.padding=function(o){return arguments.length?(n=+o,i):n},i}var sX={depth:-1},
s9={},Xv={};function uX(e){return e.id}function lX(e){return e.parentId}function Jv(){var e=uX,t=lX,n;function r(i){var a=Array.from(i),o=e,s=t,u,l,c,f,d,h,p,g,
m=new Map;if(n!=null){let y=a.map((v,w)=>cX(n(v,w,i))),b=y.map(u9),x=new Set(y).add("");for(let v of b)x.has(v)||(x.add(v),y.push(v),b.push(u9(v)),a.push(Xv));o=
(v,w)=>y[w],s=(v,w)=>b[w]}for(c=0,u=a.length;c<u;++c)l=a[c],h=a[c]=new wl(l),(p=o(l,c,i))!=null&&(p+="")&&(g=h.id=p,m.set(g,m.has(g)?s9:h)),(p=s(l,c,i))!=null&&
(p+="")&&(h.parent=p);for(c=0;c<u;++c)if(h=a[c],p=h.parent){if(d=m.get(p),!d)throw new Error("missing: "+p);if(d===s9)throw new Error("ambiguous: "+p);d.children?
d.children.push(h):d.children=[h],h.parent=d}else{if(f)throw new Error("multiple roots");f=h}if(!f)throw new Error("no root");if(n!=null){for(;f.data===Xv&&f.children.
length===1;)f=f.children[0],--u;for(let y=a.length-1;y>=0&&(h=a[y],h.data===Xv);--y)h.data=null}if(f.parent=sX,f.eachBefore(function(y){y.depth=y.parent.depth+1,
--u}).eachBefore(c9),f.parent=null,u>0)throw new Error("cycle");return f}return r.id=function(i){return arguments.length?(e=Ag(i),r):e},r.parentId=function(i){return arguments.
length?(t=Ag(i),r):t},r.path=function(i){return arguments.length?(n=Ag(i),r):n},r}function cX(e){e=`${e}`;let t=e.length;return Zv(e,t-1)&&!Zv(e,t-2)&&(e=e.slice(
0,-1)),e[0]==="/"?e:`/${e}`}function u9(e){let t=e.length;if(t<2)return"";for(;--t>1&&!Zv(e,t););return e.slice(0,t)}function Zv(e,t){if(e[t]==="/"){let n=0;for(;t>
0&&e[--t]==="\\";)++n;if((n&1)===0)return!0}return!1}function fX(e,t){return e.parent===t.parent?1:2}function Kv(e){var t=e.children;return t?t[0]:e.t}function Qv(e){
var t=e.children;return t?t[t.length-1]:e.t}function dX(e,t,n){var r=n/(t.i-e.i);t.c-=r,t.s+=n,e.c+=r,t.z+=n,t.m+=n}function hX(e){for(var t=0,n=0,r=e.children,
i=r.length,a;--i>=0;)a=r[i],a.z+=t,a.m+=t,t+=a.s+(n+=a.c)}function pX(e,t,n){return e.a.parent===t.parent?e.a:n}function Eg(e,t){this._=e,this.parent=null,this.
children=null,this.A=null,this.a=this,this.z=0,this.m=0,this.c=0,this.s=0,this.t=null,this.i=t}Eg.prototype=Object.create(wl.prototype);function gX(e){for(var t=new Eg(
e,0),n,r=[t],i,a,o,s;n=r.pop();)if(a=n._.children)for(n.children=new Array(s=a.length),o=s-1;o>=0;--o)r.push(i=n.children[o]=new Eg(a[o],o)),i.parent=n;return(t.
parent=new Eg(null,0)).children=[t],t}function y9(){var e=fX,t=1,n=1,r=null;function i(l){var c=gX(l);if(c.eachAfter(a),c.parent.m=-c.z,c.eachBefore(o),r)l.eachBefore(
u);else{var f=l,d=l,h=l;l.eachBefore(function(b){b.x<f.x&&(f=b),b.x>d.x&&(d=b),b.depth>h.depth&&(h=b)});var p=f===d?1:e(f,d)/2,g=p-f.x,m=t/(d.x+p+g),y=n/(h.depth||
1);l.eachBefore(function(b){b.x=(b.x+g)*m,b.y=b.depth*y})}return l}function a(l){var c=l.children,f=l.parent.children,d=l.i?f[l.i-1]:null;if(c){hX(l);var h=(c[0].
z+c[c.length-1].z)/2;d?(l.z=d.z+e(l._,d._),l.m=l.z-h):l.z=h}else d&&(l.z=d.z+e(l._,d._));l.parent.A=s(l,d,l.parent.A||f[0])}function o(l){l._.x=l.z+l.parent.m,l.
m+=l.parent.m}function s(l,c,f){if(c){for(var d=l,h=l,p=c,g=d.parent.children[0],m=d.m,y=h.m,b=p.m,x=g.m,v;p=Qv(p),d=Kv(d),p&&d;)g=Kv(g),h=Qv(h),h.a=l,v=p.z+b-d.
z-m+e(p._,d._),v>0&&(dX(pX(p,l,f),l,v),m+=v,y+=v),b+=p.m,m+=d.m,x+=g.m,y+=h.m;p&&!Qv(h)&&(h.t=p,h.m+=b-y),d&&!Kv(g)&&(g.t=d,g.m+=m-x,f=l)}return f}function u(l){
l.x*=t,l.y=l.depth*n}return i.separation=function(l){return arguments.length?(e=l,i):e},i.size=function(l){return arguments.length?(r=!1,t=+l[0],n=+l[1],i):r?null:
[t,n]},i.nodeSize=function(l){return arguments.length?(r=!0,t=+l[0],n=+l[1],i):r?[t,n]:null},i}function Zf(e,t,n,r,i){for(var a=e.children,o,s=-1,u=a.length,l=e.
value&&(i-n)/e.value;++s<u;)o=a[s],o.x0=t,o.x1=r,o.y0=n,o.y1=n+=o.value*l}var b9=(1+Math.sqrt(5))/2;function x9(e,t,n,r,i,a){for(var o=[],s=t.children,u,l,c=0,f=0,
d=s.length,h,p,g=t.value,m,y,b,x,v,w,E;c<d;){h=i-n,p=a-r;do m=s[f++].value;while(!m&&f<d);for(y=b=m,w=Math.max(p/h,h/p)/(g*e),E=m*m*w,v=Math.max(b/E,E/y);f<d;++f){
if(m+=l=s[f].value,l<y&&(y=l),l>b&&(b=l),E=m*m*w,x=Math.max(b/E,E/y),x>v){m-=l;break}v=x}o.push(u={value:m,dice:h<p,children:s.slice(c,f)}),u.dice?Al(u,n,r,i,g?
r+=p*m/g:a):Zf(u,n,r,g?n+=h*m/g:i,a),g-=m,c=f}return o}var ew=(function e(t){function n(r,i,a,o,s){x9(t,r,i,a,o,s)}return n.ratio=function(r){return e((r=+r)>1?
r:1)},n})(b9);function v9(){var e=ew,t=!1,n=1,r=1,i=[0],a=Is,o=Is,s=Is,u=Is,l=Is;function c(d){return d.x0=d.y0=0,d.x1=n,d.y1=r,d.eachBefore(f),i=[0],t&&d.eachBefore(
g9),d}function f(d){var h=i[d.depth],p=d.x0+h,g=d.y0+h,m=d.x1-h,y=d.y1-h;m<p&&(p=m=(p+m)/2),y<g&&(g=y=(g+y)/2),d.x0=p,d.y0=g,d.x1=m,d.y1=y,d.children&&(h=i[d.depth+
1]=a(d)/2,p+=l(d)-h,g+=o(d)-h,m-=s(d)-h,y-=u(d)-h,m<p&&(p=m=(p+m)/2),y<g&&(g=y=(g+y)/2),e(d,p,g,m,y))}return c.round=function(d){return arguments.length?(t=!!d,
c):t},c.size=function(d){return arguments.length?(n=+d[0],r=+d[1],c):[n,r]},c.tile=function(d){return arguments.length?(e=f9(d),c):e},c.padding=function(d){return arguments.
length?c.paddingInner(d).paddingOuter(d):c.paddingInner()},c.paddingInner=function(d){return arguments.length?(a=typeof d=="function"?d:vl(+d),c):a},c.paddingOuter=
function(d){return arguments.length?c.paddingTop(d).paddingRight(d).paddingBottom(d).paddingLeft(d):c.paddingTop()},c.paddingTop=function(d){return arguments.length?
(o=typeof d=="function"?d:vl(+d),c):o},c.paddingRight=function(d){return arguments.length?(s=typeof d=="function"?d:vl(+d),c):s},c.paddingBottom=function(d){return arguments.
length?(u=typeof d=="function"?d:vl(+d),c):u},c.paddingLeft=function(d){return arguments.length?(l=typeof d=="function"?d:vl(+d),c):l},c}function w9(e,t,n,r,i){
var a=e.children,o,s=a.length,u,l=new Array(s+1);for(l[0]=u=o=0;o<s;++o)l[o+1]=u+=a[o].value;c(0,s,e.value,t,n,r,i);function c(f,d,h,p,g,m,y){if(f>=d-1){var b=a[f];
b.x0=p,b.y0=g,b.x1=m,b.y1=y;return}for(var x=l[f],v=h/2+x,w=f+1,E=d-1;w<E;){var A=w+E>>>1;l[A]<v?w=A+1:E=A}v-l[w-1]<l[w]-v&&f+1<w&&--w;var S=l[w]-x,C=h-S;if(m-p>
y-g){var _=h?(p*C+m*S)/h:m;c(f,w,S,p,g,_,y),c(w,d,C,_,g,m,y)}else{var k=h?(g*C+y*S)/h:y;c(f,w,S,p,g,m,k),c(w,d,C,p,k,m,y)}}}function A9(e,t,n,r,i){(e.depth&1?Zf:
Al)(e,t,n,r,i)}var E9=(function e(t){function n(r,i,a,o,s){if((u=r._squarify)&&u.ratio===t)for(var u,l,c,f,d=-1,h,p=u.length,g=r.value;++d<p;){for(l=u[d],c=l.children,
f=l.value=0,h=c.length;f<h;++f)l.value+=c[f].value;l.dice?Al(l,i,a,o,g?a+=(s-a)*l.value/g:s):Zf(l,i,a,g?i+=(o-i)*l.value/g:o,s),g-=l.value}else r._squarify=u=x9(
t,r,i,a,o,s),u.ratio=t}return n.ratio=function(r){return e((r=+r)>1?r:1)},n})(b9);function tw(e,t,n){let r={};return e.each(i=>{let a=i.data;n(a)&&(r[t(a)]=i)}),e.lookup=r,e}function ow(e){T.call(this,null,e)}ow.Definition={type:"Nest",metadata:{
treesource:!0,changes:!0},params:[{name:"keys",type:"field",array:!0},{name:"generate",type:"boolean"}]};var mX=e=>e.values;z(ow,T,{transform(e,t){t.source||D("\
Nest transform requires an upstream data source.");var n=e.generate,r=e.modified(),i=t.clone(),a=this.value;return(!a||r||t.changed())&&(a&&a.each(o=>{o.children&&
Gu(o.data)&&i.rem.push(o.data)}),this.value=a=Sg({values:H(e.keys).reduce((o,s)=>(o.key(s),o),yX()).entries(i.source)},mX),n&&a.each(o=>{o.children&&(o=Se(o.data),
i.add.push(o),i.source.push(o))}),tw(a,re,re)),i.source.root=a,i}});function yX(){let e=[],t={entries:i=>r(n(i,0),0),key:i=>(e.push(i),t)};function n(i,a){if(a>=
e.length)return i;let o=i.length,s=e[a++],u={},l={},c=-1,f,d,h;for(;++c<o;)f=s(d=i[c])+"",(h=u[f])?h.push(d):u[f]=[d];for(f in u)l[f]=n(u[f],a);return l}function r(i,a){
if(++a>e.length)return i;let o=[];for(let s in i)o.push({key:s,values:r(i[s],a)});return o}return t}function wa(e){T.call(this,null,e)}var bX=(e,t)=>e.parent===
t.parent?1:2;z(wa,T,{transform(e,t){(!t.source||!t.source.root)&&D(this.constructor.name+" transform requires a backing tree data source.");let n=this.layout(e.
method),r=this.fields,i=t.source.root,a=e.as||r;e.field?i.sum(e.field):i.count(),e.sort&&i.sort(wi(e.sort,o=>o.data)),xX(n,this.params,e),n.separation&&n.separation(
e.separation!==!1?bX:gi);try{this.value=n(i)}catch(o){D(o)}return i.each(o=>vX(o,r,a)),t.reflow(e.modified()).modifies(a).modifies("leaf")}});function xX(e,t,n){
for(let r,i=0,a=t.length;i<a;++i)r=t[i],r in n&&e[r](n[r])}function vX(e,t,n){let r=e.data,i=t.length-1;for(let a=0;a<i;++a)r[n[a]]=e[t[a]];r[n[i]]=e.children?e.
children.length:0}var nw=["x","y","r","depth","children"];function sw(e){wa.call(this,e)}sw.Definition={type:"Pack",metadata:{tree:!0,modifies:!0},params:[{name:"\
field",type:"field"},{name:"sort",type:"compare"},{name:"padding",type:"number",default:0},{name:"radius",type:"field",default:null},{name:"size",type:"number",
array:!0,length:2},{name:"as",type:"string",array:!0,length:nw.length,default:nw}]};z(sw,wa,{layout:p9,params:["radius","size","padding"],fields:nw});var rw=["x\
0","y0","x1","y1","depth","children"];function uw(e){wa.call(this,e)}uw.Definition={type:"Partition",metadata:{tree:!0,modifies:!0},params:[{name:"field",type:"\
field"},{name:"sort",type:"compare"},{name:"padding",type:"number",default:0},{name:"round",type:"boolean",default:!1},{name:"size",type:"number",array:!0,length:2},
{name:"as",type:"string",array:!0,length:rw.length,default:rw}]};z(uw,wa,{layout:m9,params:["size","round","padding"],fields:rw});function lw(e){T.call(this,null,
e)}lw.Definition={type:"Stratify",metadata:{treesource:!0},params:[{name:"key",type:"field",required:!0},{name:"parentKey",type:"field",required:!0}]};z(lw,T,{transform(e,t){
t.source||D("Stratify transform requires an upstream data source.");let n=this.value,r=e.modified(),i=t.fork(t.ALL).materialize(t.SOURCE),a=!n||r||t.changed(t.ADD_REM)||
t.modified(e.key.fields)||t.modified(e.parentKey.fields);return i.source=i.source.slice(),a&&(n=i.source.length?tw(Jv().id(e.key).parentId(e.parentKey)(i.source),
e.key,_t):tw(Jv()([{}]),e.key,e.key)),i.source.root=this.value=n,i}});var S9={tidy:y9,cluster:l9},iw=["x","y","depth","children"];function cw(e){wa.call(this,e)}
cw.Definition={type:"Tree",metadata:{tree:!0,modifies:!0},params:[{name:"field",type:"field"},{name:"sort",type:"compare"},{name:"method",type:"enum",default:"t\
idy",values:["tidy","cluster"]},{name:"size",type:"number",array:!0,length:2},{name:"nodeSize",type:"number",array:!0,length:2},{name:"separation",type:"boolean",
default:!0},{name:"as",type:"string",array:!0,length:iw.length,default:iw}]};z(cw,wa,{layout(e){let t=e||"tidy";if(Y(S9,t))return S9[t]();D("Unrecognized Tree l\
ayout method: "+t)},params:["size","nodeSize"],fields:iw});function fw(e){T.call(this,[],e)}fw.Definition={type:"TreeLinks",metadata:{tree:!0,generates:!0,changes:!0},
params:[]};z(fw,T,{transform(e,t){let n=this.value,r=t.source&&t.source.root,i=t.fork(t.NO_SOURCE),a={};return r||D("TreeLinks transform requires a tree data so\
urce."),t.changed(t.ADD_REM)?(i.rem=n,t.visit(t.SOURCE,o=>a[re(o)]=1),r.each(o=>{let s=o.data,u=o.parent&&o.parent.data;u&&a[re(s)]&&a[re(u)]&&i.add.push(Se({source:u,
target:s}))}),this.value=i.add):t.changed(t.MOD)&&(t.visit(t.MOD,o=>a[re(o)]=1),n.forEach(o=>{(a[re(o.source)]||a[re(o.target)])&&i.mod.push(o)})),i}});var C9={
binary:w9,dice:Al,slice:Zf,slicedice:A9,squarify:ew,resquarify:E9},aw=["x0","y0","x1","y1","depth","children"];function dw(e){wa.call(this,e)}dw.Definition={type:"\
Treemap",metadata:{tree:!0,modifies:!0},params:[{name:"field",type:"field"},{name:"sort",type:"compare"},{name:"method",type:"enum",default:"squarify",values:["\
squarify","resquarify","binary","dice","slice","slicedice"]},{name:"padding",type:"number",default:0},{name:"paddingInner",type:"number",default:0},{name:"paddi\
ngOuter",type:"number",default:0},{name:"paddingTop",type:"number",default:0},{name:"paddingRight",type:"number",default:0},{name:"paddingBottom",type:"number",
default:0},{name:"paddingLeft",type:"number",default:0},{name:"ratio",type:"number",default:1.618033988749895},{name:"round",type:"boolean",default:!1},{name:"s\
ize",type:"number",array:!0,length:2},{name:"as",type:"string",array:!0,length:aw.length,default:aw}]};z(dw,wa,{layout(){let e=v9();return e.ratio=t=>{let n=e.tile();
n.ratio&&e.tile(n.ratio(t))},e.method=t=>{Y(C9,t)?e.tile(C9[t]):D("Unrecognized Treemap layout method: "+t)},e},params:["method","ratio","size","round","padding",
"paddingInner","paddingOuter","paddingTop","paddingRight","paddingBottom","paddingLeft"],fields:aw});var Sw={};gr(Sw,{label:()=>Ew});var pw=4278190080;function wX(e,t){let n=e.bitmap();return(t||[]).forEach(r=>n.set(e(r.boundary[0]),e(r.boundary[3]))),[n,void 0]}function AX(e,t,n,r,i){let a=e.
width,o=e.height,s=r||i,u=br(a,o).getContext("2d"),l=br(a,o).getContext("2d"),c=s&&br(a,o).getContext("2d");n.forEach(S=>Cg(u,S,!1)),Cg(l,t,!1),s&&Cg(c,t,!0);let f=gw(
u,a,o),d=gw(l,a,o),h=s&&gw(c,a,o),p=e.bitmap(),g=s&&e.bitmap(),m,y,b,x,v,w,E,A;for(y=0;y<o;++y)for(m=0;m<a;++m)v=y*a+m,w=f[v]&pw,A=d[v]&pw,E=s&&h[v]&pw,(w||E||A)&&
(b=e(m),x=e(y),!i&&(w||A)&&p.set(b,x),s&&(w||E)&&g.set(b,x));return[p,g]}function gw(e,t,n){return new Uint32Array(e.getImageData(0,0,t,n).data.buffer)}function Cg(e,t,n){
if(!t.length)return;let r=t[0].mark.marktype;r==="group"?t.forEach(i=>{i.items.forEach(a=>Cg(e,a.items,n))}):Un[r].draw(e,{items:n?t.map(EX):t})}function EX(e){
let t=ds(e,{});return t.stroke&&t.strokeOpacity!==0||t.fill&&t.fillOpacity!==0?{...t,strokeOpacity:1,stroke:"#000",fillOpacity:0}:t}var Aa=5,$n=31,Jf=32,Do=new Uint32Array(
Jf+1),Hr=new Uint32Array(Jf+1);Hr[0]=0;Do[0]=~Hr[0];for(let e=1;e<=Jf;++e)Hr[e]=Hr[e-1]<<1|1,Do[e]=~Hr[e];function SX(e,t){let n=new Uint32Array(~~((e*t+Jf)/Jf));
function r(a,o){n[a]|=o}function i(a,o){n[a]&=o}return{array:n,get:(a,o)=>{let s=o*e+a;return n[s>>>Aa]&1<<(s&$n)},set:(a,o)=>{let s=o*e+a;r(s>>>Aa,1<<(s&$n))},
clear:(a,o)=>{let s=o*e+a;i(s>>>Aa,~(1<<(s&$n)))},getRange:(a,o,s,u)=>{let l=u,c,f,d,h;for(;l>=o;--l)if(c=l*e+a,f=l*e+s,d=c>>>Aa,h=f>>>Aa,d===h){if(n[d]&Do[c&$n]&
Hr[(f&$n)+1])return!0}else{if(n[d]&Do[c&$n]||n[h]&Hr[(f&$n)+1])return!0;for(let p=d+1;p<h;++p)if(n[p])return!0}return!1},setRange:(a,o,s,u)=>{let l,c,f,d,h;for(;o<=
u;++o)if(l=o*e+a,c=o*e+s,f=l>>>Aa,d=c>>>Aa,f===d)r(f,Do[l&$n]&Hr[(c&$n)+1]);else for(r(f,Do[l&$n]),r(d,Hr[(c&$n)+1]),h=f+1;h<d;++h)r(h,4294967295)},clearRange:(a,o,s,u)=>{
let l,c,f,d,h;for(;o<=u;++o)if(l=o*e+a,c=o*e+s,f=l>>>Aa,d=c>>>Aa,f===d)i(f,Hr[l&$n]|Do[(c&$n)+1]);else for(i(f,Hr[l&$n]),i(d,Do[(c&$n)+1]),h=f+1;h<d;++h)i(h,0)},
outOfBounds:(a,o,s,u)=>a<0||o<0||u>=t||s>=e}}function CX(e,t,n){let r=Math.max(1,Math.sqrt(e*t/1e6)),i=~~((e+2*n+r)/r),a=~~((t+2*n+r)/r),o=s=>~~((s+n)/r);return o.
invert=s=>s*r-n,o.bitmap=()=>SX(i,a),o.ratio=r,o.padding=n,o.width=e,o.height=t,o}function _X(e,t,n,r){let i=e.width,a=e.height;return function(o){let s=o.datum.
datum.items[r].items,u=s.length,l=o.datum.fontSize,c=sr.width(o.datum,o.datum.text),f=0,d,h,p,g,m,y,b;for(let x=0;x<u;++x)d=s[x].x,p=s[x].y,h=s[x].x2===void 0?d:
s[x].x2,g=s[x].y2===void 0?p:s[x].y2,m=(d+h)/2,y=(p+g)/2,b=Math.abs(h-d+g-p),b>=f&&(f=b,o.x=m,o.y=y);return m=c/2,y=l/2,d=o.x-m,h=o.x+m,p=o.y-y,g=o.y+y,o.align=
"center",d<0&&h<=i?o.align="left":0<=d&&i<h&&(o.align="right"),o.baseline="middle",p<0&&g<=a?o.baseline="top":0<=p&&a<g&&(o.baseline="bottom"),!0}}function _g(e,t,n,r,i,a){
let o=n/2;return e-o<0||e+o>i||t-(o=r/2)<0||t+o>a}function $o(e,t,n,r,i,a,o,s){let u=i*a/(r*2),l=e(t-u),c=e(t+u),f=e(n-(a=a/2)),d=e(n+a);return o.outOfBounds(l,
f,c,d)||o.getRange(l,f,c,d)||s&&s.getRange(l,f,c,d)}function kX(e,t,n,r){let i=e.width,a=e.height,o=t[0],s=t[1];function u(l,c,f,d,h){let p=e.invert(l),g=e.invert(
c),m=f,y=a,b;if(!_g(p,g,d,h,i,a)&&!$o(e,p,g,h,d,m,o,s)&&!$o(e,p,g,h,d,h,o,null)){for(;y-m>=1;)b=(m+y)/2,$o(e,p,g,h,d,b,o,s)?y=b:m=b;if(m>f)return[p,g,m,!0]}}return function(l){
let c=l.datum.datum.items[r].items,f=c.length,d=l.datum.fontSize,h=sr.width(l.datum,l.datum.text),p=n?d:0,g=!1,m=!1,y=0,b,x,v,w,E,A,S,C,_,k,M,$,O,F,P,Q,J;for(let ie=0;ie<
f;++ie){for(b=c[ie].x,v=c[ie].y,x=c[ie].x2===void 0?b:c[ie].x2,w=c[ie].y2===void 0?v:c[ie].y2,b>x&&(J=b,b=x,x=J),v>w&&(J=v,v=w,w=J),_=e(b),M=e(x),k=~~((_+M)/2),
$=e(v),F=e(w),O=~~(($+F)/2),S=k;S>=_;--S)for(C=O;C>=$;--C)Q=u(S,C,p,h,d),Q&&([l.x,l.y,p,g]=Q);for(S=k;S<=M;++S)for(C=O;C<=F;++C)Q=u(S,C,p,h,d),Q&&([l.x,l.y,p,g]=
Q);!g&&!n&&(P=Math.abs(x-b+w-v),E=(b+x)/2,A=(v+w)/2,P>=y&&!_g(E,A,h,d,i,a)&&!$o(e,E,A,d,h,d,o,null)&&(y=P,l.x=E,l.y=A,m=!0))}return g||m?(E=h/2,A=d/2,o.setRange(
e(l.x-E),e(l.y-A),e(l.x+E),e(l.y+A)),l.align="center",l.baseline="middle",!0):!1}}var FX=[-1,-1,1,1],MX=[-1,1,-1,1];function DX(e,t,n,r){let i=e.width,a=e.height,
o=t[0],s=t[1],u=e.bitmap();return function(l){let c=l.datum.datum.items[r].items,f=c.length,d=l.datum.fontSize,h=sr.width(l.datum,l.datum.text),p=[],g=n?d:0,m=!1,
y=!1,b=0,x,v,w,E,A,S,C,_,k,M,$,O;for(let F=0;F<f;++F){for(x=c[F].x,w=c[F].y,v=c[F].x2===void 0?x:c[F].x2,E=c[F].y2===void 0?w:c[F].y2,p.push([e((x+v)/2),e((w+E)/
2)]);p.length;)if([C,_]=p.pop(),!(o.get(C,_)||s.get(C,_)||u.get(C,_))){u.set(C,_);for(let P=0;P<4;++P)A=C+FX[P],S=_+MX[P],u.outOfBounds(A,S,A,S)||p.push([A,S]);
if(A=e.invert(C),S=e.invert(_),k=g,M=a,!_g(A,S,h,d,i,a)&&!$o(e,A,S,d,h,k,o,s)&&!$o(e,A,S,d,h,d,o,null)){for(;M-k>=1;)$=(k+M)/2,$o(e,A,S,d,h,$,o,s)?M=$:k=$;k>g&&
(l.x=A,l.y=S,g=k,m=!0)}}!m&&!n&&(O=Math.abs(v-x+E-w),A=(x+v)/2,S=(w+E)/2,O>=b&&!_g(A,S,h,d,i,a)&&!$o(e,A,S,d,h,d,o,null)&&(b=O,l.x=A,l.y=S,y=!0))}return m||y?(A=
h/2,S=d/2,o.setRange(e(l.x-A),e(l.y-S),e(l.x+A),e(l.y+S)),l.align="center",l.baseline="middle",!0):!1}}var $X=["right","center","left"],TX=["bottom","middle","t\
op"];function RX(e,t,n,r){let i=e.width,a=e.height,o=t[0],s=t[1],u=r.length;return function(l){let c=l.boundary,f=l.datum.fontSize;if(c[2]<0||c[5]<0||c[0]>i||c[3]>
a)return!1;let d=l.textWidth??0,h,p,g,m,y,b,x,v,w,E,A,S,C,_,k;for(let M=0;M<u;++M){if(h=(n[M]&3)-1,p=(n[M]>>>2&3)-1,g=h===0&&p===0||r[M]<0,m=h&&p?Math.SQRT1_2:1,
y=r[M]<0?-1:1,b=c[1+h]+r[M]*h*m,A=c[4+p]+y*f*p/2+r[M]*p*m,v=A-f/2,w=A+f/2,S=e(b),_=e(v),k=e(w),!d)if(_9(S,S,_,k,o,s,b,b,v,w,c,g))d=sr.width(l.datum,l.datum.text);else
continue;if(E=b+y*d*h/2,b=E-d/2,x=E+d/2,S=e(b),C=e(x),_9(S,C,_,k,o,s,b,x,v,w,c,g))return l.x=h?h*y<0?x:b:E,l.y=p?p*y<0?w:v:A,l.align=$X[h*y+1],l.baseline=TX[p*y+
1],o.setRange(S,_,C,k),!0}return!1}}function _9(e,t,n,r,i,a,o,s,u,l,c,f){return!(i.outOfBounds(e,n,t,r)||(f&&a||i).getRange(e,n,t,r))}var mw=0,yw=4,bw=8,xw=0,vw=1,
ww=2,OX={"top-left":mw+xw,top:mw+vw,"top-right":mw+ww,left:yw+xw,middle:yw+vw,right:yw+ww,"bottom-left":bw+xw,bottom:bw+vw,"bottom-right":bw+ww},NX={naive:_X,"r\
educed-search":kX,floodfill:DX};function BX(e,t,n,r,i,a,o,s,u,l,c){if(!e.length)return e;let f=Math.max(r.length,i.length),d=PX(r,f),h=IX(i,f),p=zX(e[0].datum),
g=p==="group"&&e[0].datum.items[u].marktype,m=g==="area",y=LX(p,g,s,u),b=l===null||l===1/0,x=m&&c==="naive",v=-1,w=-1,E=e.map(_=>{let k=b?sr.width(_,_.text):void 0;
return v=Math.max(v,k),w=Math.max(w,_.fontSize),{datum:_,opacity:0,x:void 0,y:void 0,align:void 0,baseline:void 0,boundary:y(_),textWidth:k}});l=l===null||l===1/0?
Math.max(v,w)+Math.max(...r):l;let A=CX(t[0],t[1],l),S;if(!x){n&&E.sort((M,$)=>n(M.datum,$.datum));let _=!1;for(let M=0;M<h.length&&!_;++M)_=h[M]===5||d[M]<0;let k=(p&&
o||m)&&e.map(M=>M.datum);S=a.length||k?AX(A,k||[],a,_,m):wX(A,o&&E)}let C=m?NX[c](A,S,o,u):RX(A,S,h,d);return E.forEach(_=>_.opacity=+C(_)),E}function PX(e,t){let n=new Float64Array(
t),r=e.length;for(let i=0;i<r;++i)n[i]=e[i]||0;for(let i=r;i<t;++i)n[i]=n[r-1];return n}function IX(e,t){let n=new Int8Array(t),r=e.length;for(let i=0;i<r;++i)n[i]|=
OX[e[i]];for(let i=r;i<t;++i)n[i]=n[r-1];return n}function zX(e){return e&&e.mark&&e.mark.marktype}function LX(e,t,n,r){let i=a=>[a.x,a.x,a.x,a.y,a.y,a.y];return e?
e==="line"||e==="area"?a=>i(a.datum):t==="line"?a=>{let o=a.datum.items[r].items;return i(o.length?o[n==="start"?0:o.length-1]:{x:NaN,y:NaN})}:a=>{let o=a.datum.
bounds;return[o.x1,(o.x1+o.x2)/2,o.x2,o.y1,(o.y1+o.y2)/2,o.y2]}:i}var Aw=["x","y","opacity","align","baseline"],k9=["top-left","left","bottom-left","top","botto\
m","top-right","right","bottom-right"];function Ew(e){T.call(this,null,e)}Ew.Definition={type:"Label",metadata:{modifies:!0},params:[{name:"size",type:"number",
array:!0,length:2,required:!0},{name:"sort",type:"compare"},{name:"anchor",type:"string",array:!0,default:k9},{name:"offset",type:"number",array:!0,default:[1]},
{name:"padding",type:"number",default:0,null:!0},{name:"lineAnchor",type:"string",values:["start","end"],default:"end"},{name:"markIndex",type:"number",default:0},
{name:"avoidBaseMark",type:"boolean",default:!0},{name:"avoidMarks",type:"data",array:!0},{name:"method",type:"string",default:"naive"},{name:"as",type:"string",
array:!0,length:Aw.length,default:Aw}]};z(Ew,T,{transform(e,t){function n(a){let o=e[a];return ae(o)&&t.modified(o.fields)}let r=e.modified();if(!(r||t.changed(
t.ADD_REM)||n("sort")))return;(!e.size||e.size.length!==2)&&D("Size parameter should be specified as a [width, height] array.");let i=e.as||Aw;return BX(t.materialize(
t.SOURCE).source||[],e.size,e.sort,H(e.offset==null?1:e.offset),H(e.anchor||k9),e.avoidMarks||[],e.avoidBaseMark!==!1,e.lineAnchor||"end",e.markIndex||0,e.padding===
void 0?0:e.padding,e.method||"naive").forEach(a=>{let o=a.datum;o[i[0]]=a.x,o[i[1]]=a.y,o[i[2]]=a.opacity,o[i[3]]=a.align,o[i[4]]=a.baseline}),t.reflow(r).modifies(
i)}});var Fw={};gr(Fw,{loess:()=>_w,regression:()=>kw});function F9(e,t){var n=[],r=function(c){return c(s)},i,a,o,s,u,l;if(t==null)n.push(e);else for(i={},a=0,o=e.length;a<o;++a)s=e[a],u=t.map(r),l=i[u],l||(i[u]=l=[],
l.dims=u,n.push(l)),l.push(s);return n}function _w(e){T.call(this,null,e)}_w.Definition={type:"Loess",metadata:{generates:!0},params:[{name:"x",type:"field",required:!0},
{name:"y",type:"field",required:!0},{name:"groupby",type:"field",array:!0},{name:"bandwidth",type:"number",default:.3},{name:"as",type:"string",array:!0}]};z(_w,
T,{transform(e,t){let n=t.fork(t.NO_SOURCE|t.NO_FIELDS);if(!this.value||t.changed()||e.modified()){let r=t.materialize(t.SOURCE).source,i=F9(r,e.groupby),a=(e.groupby||
[]).map(Ge),o=a.length,s=e.as||[Ge(e.x),Ge(e.y)],u=[];i.forEach(l=>{ZC(l,e.x,e.y,e.bandwidth||.3).forEach(c=>{let f={};for(let d=0;d<o;++d)f[a[d]]=l.dims[d];f[s[0]]=
c[0],f[s[1]]=c[1],u.push(Se(f))})}),this.value&&(n.rem=this.value),this.value=n.add=n.source=u}return n}});var Cw={constant:ib,linear:ab,log:VC,exp:XC,pow:KC,quad:ob,
poly:QC},UX=(e,t)=>e==="poly"?t:e==="quad"?2:1;function kw(e){T.call(this,null,e)}kw.Definition={type:"Regression",metadata:{generates:!0},params:[{name:"x",type:"\
field",required:!0},{name:"y",type:"field",required:!0},{name:"groupby",type:"field",array:!0},{name:"method",type:"string",default:"linear",values:Object.keys(
Cw)},{name:"order",type:"number",default:3},{name:"extent",type:"number",array:!0,length:2},{name:"params",type:"boolean",default:!1},{name:"as",type:"string",array:!0}]};
z(kw,T,{transform(e,t){let n=t.fork(t.NO_SOURCE|t.NO_FIELDS);if(!this.value||t.changed()||e.modified()){let r=t.materialize(t.SOURCE).source,i=F9(r,e.groupby),a=(e.
groupby||[]).map(Ge),o=e.method||"linear",s=e.order==null?3:e.order,u=UX(o,s),l=e.as||[Ge(e.x),Ge(e.y)],c=Cw[o],f=[],d=e.extent;Y(Cw,o)||D("Invalid regression m\
ethod: "+o),d!=null&&o==="log"&&d[0]<=0&&(t.dataflow.warn("Ignoring extent with values <= 0 for log regression."),d=null),i.forEach(h=>{if(h.length<=u){t.dataflow.
warn("Skipping regression with more parameters than data points.");return}let g=c(h,e.x,e.y,s);if(e.params){f.push(Se({keys:h.dims,coef:g.coef,rSquared:g.rSquared}));
return}let m=d||on(h,e.x),y=b=>{let x={};for(let v=0;v<a.length;++v)x[a[v]]=h.dims[v];x[l[0]]=b[0],x[l[1]]=b[1],f.push(Se(x))};o==="linear"||o==="constant"?m.forEach(
b=>y([b,g.predict(b)])):zc(g.predict,m,25,200).forEach(y)}),this.value&&(n.rem=this.value),this.value=n.add=n.source=f}return n}});var Rw={};gr(Rw,{voronoi:()=>Tw});var Sa=11102230246251565e-32,dn=134217729,qX=(3+8*Sa)*Sa;function Mw(e,t,n,r,i){let a,o,s,u,l=t[0],c=r[0],f=0,d=0;c>l==c>-l?(a=l,l=t[++f]):(a=c,c=r[++d]);let h=0;
if(f<e&&d<n)for(c>l==c>-l?(o=l+a,s=a-(o-l),l=t[++f]):(o=c+a,s=a-(o-c),c=r[++d]),a=o,s!==0&&(i[h++]=s);f<e&&d<n;)c>l==c>-l?(o=a+l,u=o-a,s=a-(o-u)+(l-u),l=t[++f]):
(o=a+c,u=o-a,s=a-(o-u)+(c-u),c=r[++d]),a=o,s!==0&&(i[h++]=s);for(;f<e;)o=a+l,u=o-a,s=a-(o-u)+(l-u),l=t[++f],a=o,s!==0&&(i[h++]=s);for(;d<n;)o=a+c,u=o-a,s=a-(o-u)+
(c-u),c=r[++d],a=o,s!==0&&(i[h++]=s);return(a!==0||h===0)&&(i[h++]=a),h}function jX(e,t){let n=t[0];for(let r=1;r<e;r++)n+=t[r];return n}function L(e){return new Float64Array(
e)}var WX=(3+16*Sa)*Sa,GX=(2+12*Sa)*Sa,HX=(9+64*Sa)*Sa*Sa,El=L(4),M9=L(8),D9=L(12),$9=L(16),Tn=L(4);function YX(e,t,n,r,i,a,o){let s,u,l,c,f,d,h,p,g,m,y,b,x,v,w,
E,A,S,C=e-i,_=n-i,k=t-a,M=r-a;v=C*M,d=dn*C,h=d-(d-C),p=C-h,d=dn*M,g=d-(d-M),m=M-g,w=p*m-(v-h*g-p*g-h*m),E=k*_,d=dn*k,h=d-(d-k),p=k-h,d=dn*_,g=d-(d-_),m=_-g,A=p*
m-(E-h*g-p*g-h*m),y=w-A,f=w-y,El[0]=w-(y+f)+(f-A),b=v+y,f=b-v,x=v-(b-f)+(y-f),y=x-E,f=x-y,El[1]=x-(y+f)+(f-E),S=b+y,f=S-b,El[2]=b-(S-f)+(y-f),El[3]=S;let $=jX(4,
El),O=GX*o;if($>=O||-$>=O||(f=e-C,s=e-(C+f)+(f-i),f=n-_,l=n-(_+f)+(f-i),f=t-k,u=t-(k+f)+(f-a),f=r-M,c=r-(M+f)+(f-a),s===0&&u===0&&l===0&&c===0)||(O=HX*o+qX*Math.
abs($),$+=C*c+M*s-(k*l+_*u),$>=O||-$>=O))return $;v=s*M,d=dn*s,h=d-(d-s),p=s-h,d=dn*M,g=d-(d-M),m=M-g,w=p*m-(v-h*g-p*g-h*m),E=u*_,d=dn*u,h=d-(d-u),p=u-h,d=dn*_,
g=d-(d-_),m=_-g,A=p*m-(E-h*g-p*g-h*m),y=w-A,f=w-y,Tn[0]=w-(y+f)+(f-A),b=v+y,f=b-v,x=v-(b-f)+(y-f),y=x-E,f=x-y,Tn[1]=x-(y+f)+(f-E),S=b+y,f=S-b,Tn[2]=b-(S-f)+(y-f),
Tn[3]=S;let F=Mw(4,El,4,Tn,M9);v=C*c,d=dn*C,h=d-(d-C),p=C-h,d=dn*c,g=d-(d-c),m=c-g,w=p*m-(v-h*g-p*g-h*m),E=k*l,d=dn*k,h=d-(d-k),p=k-h,d=dn*l,g=d-(d-l),m=l-g,A=p*
m-(E-h*g-p*g-h*m),y=w-A,f=w-y,Tn[0]=w-(y+f)+(f-A),b=v+y,f=b-v,x=v-(b-f)+(y-f),y=x-E,f=x-y,Tn[1]=x-(y+f)+(f-E),S=b+y,f=S-b,Tn[2]=b-(S-f)+(y-f),Tn[3]=S;let P=Mw(F,
M9,4,Tn,D9);v=s*c,d=dn*s,h=d-(d-s),p=s-h,d=dn*c,g=d-(d-c),m=c-g,w=p*m-(v-h*g-p*g-h*m),E=u*l,d=dn*u,h=d-(d-u),p=u-h,d=dn*l,g=d-(d-l),m=l-g,A=p*m-(E-h*g-p*g-h*m),
y=w-A,f=w-y,Tn[0]=w-(y+f)+(f-A),b=v+y,f=b-v,x=v-(b-f)+(y-f),y=x-E,f=x-y,Tn[1]=x-(y+f)+(f-E),S=b+y,f=S-b,Tn[2]=b-(S-f)+(y-f),Tn[3]=S;let Q=Mw(P,D9,4,Tn,$9);return $9[Q-
1]}function kg(e,t,n,r,i,a){let o=(t-a)*(n-i),s=(e-i)*(r-a),u=o-s,l=Math.abs(o+s);return Math.abs(u)>=WX*l?u:-YX(e,t,n,r,i,a,l)}L(4);L(4);L(4);L(4);L(4);L(4);L(
4);L(4);L(4);L(8);L(8);L(8);L(4);L(8);L(8);L(16);L(12);L(192);L(192);L(4);L(4);L(4);L(4);L(4);L(4);L(4);L(4);L(8);L(8);L(8);L(8);L(8);L(8);L(8);L(8);L(8);L(4);L(
4);L(4);L(8);L(16);L(16);L(16);L(32);L(32);L(48);L(64);L(1152);L(1152);L(4);L(4);L(4);L(4);L(4);L(4);L(4);L(4);L(4);L(4);L(24);L(24);L(24);L(24);L(24);L(24);L(24);
L(24);L(24);L(24);L(1152);L(1152);L(1152);L(1152);L(1152);L(2304);L(2304);L(3456);L(5760);L(8);L(8);L(8);L(16);L(24);L(48);L(48);L(96);L(192);L(384);L(384);L(384);
L(768);L(96);L(96);L(96);L(1152);var T9=Math.pow(2,-52),Fg=new Uint32Array(512),Mg=class e{static from(t,n=ZX,r=JX){let i=t.length,a=new Float64Array(i*2);for(let o=0;o<
i;o++){let s=t[o];a[2*o]=n(s),a[2*o+1]=r(s)}return new e(a)}constructor(t){let n=t.length>>1;if(n>0&&typeof t[0]!="number")throw new Error("Expected coords to c\
ontain numbers.");this.coords=t;let r=Math.max(2*n-5,0);this._triangles=new Uint32Array(r*3),this._halfedges=new Int32Array(r*3),this._hashSize=Math.ceil(Math.sqrt(
n)),this._hullPrev=new Uint32Array(n),this._hullNext=new Uint32Array(n),this._hullTri=new Uint32Array(n),this._hullHash=new Int32Array(this._hashSize),this._ids=
new Uint32Array(n),this._dists=new Float64Array(n),this.trianglesLen=0,this._cx=0,this._cy=0,this._hullStart=0,this.hull=this._triangles,this.triangles=this._triangles,
this.halfedges=this._halfedges,this.update()}update(){let{coords:t,_hullPrev:n,_hullNext:r,_hullTri:i,_hullHash:a}=this,o=t.length>>1,s=1/0,u=1/0,l=-1/0,c=-1/0;
for(let C=0;C<o;C++){let _=t[2*C],k=t[2*C+1];_<s&&(s=_),k<u&&(u=k),_>l&&(l=_),k>c&&(c=k),this._ids[C]=C}let f=(s+l)/2,d=(u+c)/2,h=0,p=0,g=0;for(let C=0,_=1/0;C<
o;C++){let k=Dw(f,d,t[2*C],t[2*C+1]);k<_&&(h=C,_=k)}let m=t[2*h],y=t[2*h+1];for(let C=0,_=1/0;C<o;C++){if(C===h)continue;let k=Dw(m,y,t[2*C],t[2*C+1]);k<_&&k>0&&
(p=C,_=k)}let b=t[2*p],x=t[2*p+1],v=1/0;for(let C=0;C<o;C++){if(C===h||C===p)continue;let _=KX(m,y,b,x,t[2*C],t[2*C+1]);_<v&&(g=C,v=_)}let w=t[2*g],E=t[2*g+1];if(v===
1/0){for(let k=0;k<o;k++)this._dists[k]=t[2*k]-t[0]||t[2*k+1]-t[1];Cl(this._ids,this._dists,0,o-1);let C=new Uint32Array(o),_=0;for(let k=0,M=-1/0;k<o;k++){let $=this.
_ids[k],O=this._dists[$];O>M&&(C[_++]=$,M=O)}this.hull=C.subarray(0,_),this.triangles=new Uint32Array(0),this.halfedges=new Int32Array(0);return}if(kg(m,y,b,x,w,
E)<0){let C=p,_=b,k=x;p=g,b=w,x=E,g=C,w=_,E=k}let A=QX(m,y,b,x,w,E);this._cx=A.x,this._cy=A.y;for(let C=0;C<o;C++)this._dists[C]=Dw(t[2*C],t[2*C+1],A.x,A.y);Cl(
this._ids,this._dists,0,o-1),this._hullStart=h;let S=3;r[h]=n[g]=p,r[p]=n[h]=g,r[g]=n[p]=h,i[h]=0,i[p]=1,i[g]=2,a.fill(-1),a[this._hashKey(m,y)]=h,a[this._hashKey(
b,x)]=p,a[this._hashKey(w,E)]=g,this.trianglesLen=0,this._addTriangle(h,p,g,-1,-1,-1);for(let C=0,_=0,k=0;C<this._ids.length;C++){let M=this._ids[C],$=t[2*M],O=t[2*
M+1];if(C>0&&Math.abs($-_)<=T9&&Math.abs(O-k)<=T9||(_=$,k=O,M===h||M===p||M===g))continue;let F=0;for(let me=0,dt=this._hashKey($,O);me<this._hashSize&&(F=a[(dt+
me)%this._hashSize],!(F!==-1&&F!==r[F]));me++);F=n[F];let P=F,Q;for(;Q=r[P],kg($,O,t[2*P],t[2*P+1],t[2*Q],t[2*Q+1])>=0;)if(P=Q,P===F){P=-1;break}if(P===-1)continue;
let J=this._addTriangle(P,M,r[P],-1,-1,i[P]);i[M]=this._legalize(J+2),i[P]=J,S++;let ie=r[P];for(;Q=r[ie],kg($,O,t[2*ie],t[2*ie+1],t[2*Q],t[2*Q+1])<0;)J=this._addTriangle(
ie,M,Q,i[M],-1,i[ie]),i[M]=this._legalize(J+2),r[ie]=ie,S--,ie=Q;if(P===F)for(;Q=n[P],kg($,O,t[2*Q],t[2*Q+1],t[2*P],t[2*P+1])<0;)J=this._addTriangle(Q,M,P,-1,i[P],
i[Q]),this._legalize(J+2),i[Q]=J,r[P]=P,S--,P=Q;this._hullStart=n[M]=P,r[P]=n[ie]=M,r[M]=ie,a[this._hashKey($,O)]=M,a[this._hashKey(t[2*P],t[2*P+1])]=P}this.hull=
new Uint32Array(S);for(let C=0,_=this._hullStart;C<S;C++)this.hull[C]=_,_=r[_];this.triangles=this._triangles.subarray(0,this.trianglesLen),this.halfedges=this.
_halfedges.subarray(0,this.trianglesLen)}_hashKey(t,n){return Math.floor(VX(t-this._cx,n-this._cy)*this._hashSize)%this._hashSize}_legalize(t){let{_triangles:n,
_halfedges:r,coords:i}=this,a=0,o=0;for(;;){let s=r[t],u=t-t%3;if(o=u+(t+2)%3,s===-1){if(a===0)break;t=Fg[--a];continue}let l=s-s%3,c=u+(t+1)%3,f=l+(s+2)%3,d=n[o],
h=n[t],p=n[c],g=n[f];if(XX(i[2*d],i[2*d+1],i[2*h],i[2*h+1],i[2*p],i[2*p+1],i[2*g],i[2*g+1])){n[t]=g,n[s]=d;let y=r[f];if(y===-1){let x=this._hullStart;do{if(this.
_hullTri[x]===f){this._hullTri[x]=t;break}x=this._hullPrev[x]}while(x!==this._hullStart)}this._link(t,y),this._link(s,r[o]),this._link(o,f);let b=l+(s+1)%3;a<Fg.
length&&(Fg[a++]=b)}else{if(a===0)break;t=Fg[--a]}}return o}_link(t,n){this._halfedges[t]=n,n!==-1&&(this._halfedges[n]=t)}_addTriangle(t,n,r,i,a,o){let s=this.
trianglesLen;return this._triangles[s]=t,this._triangles[s+1]=n,this._triangles[s+2]=r,this._link(s,i),this._link(s+1,a),this._link(s+2,o),this.trianglesLen+=3,
s}};function VX(e,t){let n=e/(Math.abs(e)+Math.abs(t));return(t>0?3-n:1+n)/4}function Dw(e,t,n,r){let i=e-n,a=t-r;return i*i+a*a}function XX(e,t,n,r,i,a,o,s){let u=e-
o,l=t-s,c=n-o,f=r-s,d=i-o,h=a-s,p=u*u+l*l,g=c*c+f*f,m=d*d+h*h;return u*(f*m-g*h)-l*(c*m-g*d)+p*(c*h-f*d)<0}function KX(e,t,n,r,i,a){let o=n-e,s=r-t,u=i-e,l=a-t,
c=o*o+s*s,f=u*u+l*l,d=.5/(o*l-s*u),h=(l*c-s*f)*d,p=(o*f-u*c)*d;return h*h+p*p}function QX(e,t,n,r,i,a){let o=n-e,s=r-t,u=i-e,l=a-t,c=o*o+s*s,f=u*u+l*l,d=.5/(o*l-
s*u),h=e+(l*c-s*f)*d,p=t+(o*f-u*c)*d;return{x:h,y:p}}function Cl(e,t,n,r){if(r-n<=20)for(let i=n+1;i<=r;i++){let a=e[i],o=t[a],s=i-1;for(;s>=n&&t[e[s]]>o;)e[s+1]=
e[s--];e[s+1]=a}else{let i=n+r>>1,a=n+1,o=r;ed(e,i,a),t[e[n]]>t[e[r]]&&ed(e,n,r),t[e[a]]>t[e[r]]&&ed(e,a,r),t[e[n]]>t[e[a]]&&ed(e,n,a);let s=e[a],u=t[s];for(;;){
do a++;while(t[e[a]]<u);do o--;while(t[e[o]]>u);if(o<a)break;ed(e,a,o)}e[n+1]=e[o],e[o]=s,r-a+1>=o-n?(Cl(e,t,a,r),Cl(e,t,n,o-1)):(Cl(e,t,n,o-1),Cl(e,t,a,r))}}function ed(e,t,n){
let r=e[t];e[t]=e[n],e[n]=r}function ZX(e){return e[0]}function JX(e){return e[1]}var R9=1e-6,Ea=class{constructor(){this._x0=this._y0=this._x1=this._y1=null,this.
_=""}moveTo(t,n){this._+=`M${this._x0=this._x1=+t},${this._y0=this._y1=+n}`}closePath(){this._x1!==null&&(this._x1=this._x0,this._y1=this._y0,this._+="Z")}lineTo(t,n){
this._+=`L${this._x1=+t},${this._y1=+n}`}arc(t,n,r){t=+t,n=+n,r=+r;let i=t+r,a=n;if(r<0)throw new Error("negative radius");this._x1===null?this._+=`M${i},${a}`:
(Math.abs(this._x1-i)>R9||Math.abs(this._y1-a)>R9)&&(this._+="L"+i+","+a),r&&(this._+=`A${r},${r},0,1,1,${t-r},${n}A${r},${r},0,1,1,${this._x1=i},${this._y1=a}`)}rect(t,n,r,i){
this._+=`M${this._x0=this._x1=+t},${this._y0=this._y1=+n}h${+r}v${+i}h${-r}Z`}value(){return this._||null}},td=class{constructor(){this._=[]}moveTo(t,n){this._.
push([t,n])}closePath(){this._.push(this._[0].slice())}lineTo(t,n){this._.push([t,n])}value(){return this._.length?this._:null}},$w=class{constructor(t,[n,r,i,a]=[
0,0,960,500]){if(!((i=+i)>=(n=+n))||!((a=+a)>=(r=+r)))throw new Error("invalid bounds");this.delaunay=t,this._circumcenters=new Float64Array(t.points.length*2),
this.vectors=new Float64Array(t.points.length*2),this.xmax=i,this.xmin=n,this.ymax=a,this.ymin=r,this._init()}update(){return this.delaunay.update(),this._init(),
this}_init(){let{delaunay:{points:t,hull:n,triangles:r},vectors:i}=this,a,o,s=this.circumcenters=this._circumcenters.subarray(0,r.length/3*2);for(let g=0,m=0,y=r.
length,b,x;g<y;g+=3,m+=2){let v=r[g]*2,w=r[g+1]*2,E=r[g+2]*2,A=t[v],S=t[v+1],C=t[w],_=t[w+1],k=t[E],M=t[E+1],$=C-A,O=_-S,F=k-A,P=M-S,Q=($*P-O*F)*2;if(Math.abs(Q)<
1e-9){if(a===void 0){a=o=0;for(let ie of n)a+=t[ie*2],o+=t[ie*2+1];a/=n.length,o/=n.length}let J=1e9*Math.sign((a-A)*P-(o-S)*F);b=(A+k)/2-J*P,x=(S+M)/2+J*F}else{
let J=1/Q,ie=$*$+O*O,me=F*F+P*P;b=A+(P*ie-O*me)*J,x=S+($*me-F*ie)*J}s[m]=b,s[m+1]=x}let u=n[n.length-1],l,c=u*4,f,d=t[2*u],h,p=t[2*u+1];i.fill(0);for(let g=0;g<
n.length;++g)u=n[g],l=c,f=d,h=p,c=u*4,d=t[2*u],p=t[2*u+1],i[l+2]=i[c]=h-p,i[l+3]=i[c+1]=d-f}render(t){let n=t==null?t=new Ea:void 0,{delaunay:{halfedges:r,inedges:i,
hull:a},circumcenters:o,vectors:s}=this;if(a.length<=1)return null;for(let c=0,f=r.length;c<f;++c){let d=r[c];if(d<c)continue;let h=Math.floor(c/3)*2,p=Math.floor(
d/3)*2,g=o[h],m=o[h+1],y=o[p],b=o[p+1];this._renderSegment(g,m,y,b,t)}let u,l=a[a.length-1];for(let c=0;c<a.length;++c){u=l,l=a[c];let f=Math.floor(i[l]/3)*2,d=o[f],
h=o[f+1],p=u*4,g=this._project(d,h,s[p+2],s[p+3]);g&&this._renderSegment(d,h,g[0],g[1],t)}return n&&n.value()}renderBounds(t){let n=t==null?t=new Ea:void 0;return t.
rect(this.xmin,this.ymin,this.xmax-this.xmin,this.ymax-this.ymin),n&&n.value()}renderCell(t,n){let r=n==null?n=new Ea:void 0,i=this._clip(t);if(i===null||!i.length)
return;n.moveTo(i[0],i[1]);let a=i.length;for(;i[0]===i[a-2]&&i[1]===i[a-1]&&a>1;)a-=2;for(let o=2;o<a;o+=2)(i[o]!==i[o-2]||i[o+1]!==i[o-1])&&n.lineTo(i[o],i[o+
1]);return n.closePath(),r&&r.value()}*cellPolygons(){let{delaunay:{points:t}}=this;for(let n=0,r=t.length/2;n<r;++n){let i=this.cellPolygon(n);i&&(i.index=n,yield i)}}cellPolygon(t){
let n=new td;return this.renderCell(t,n),n.value()}_renderSegment(t,n,r,i,a){let o,s=this._regioncode(t,n),u=this._regioncode(r,i);s===0&&u===0?(a.moveTo(t,n),a.
lineTo(r,i)):(o=this._clipSegment(t,n,r,i,s,u))&&(a.moveTo(o[0],o[1]),a.lineTo(o[2],o[3]))}contains(t,n,r){return n=+n,n!==n||(r=+r,r!==r)?!1:this.delaunay._step(
t,n,r)===t}*neighbors(t){let n=this._clip(t);if(n)for(let r of this.delaunay.neighbors(t)){let i=this._clip(r);if(i){e:for(let a=0,o=n.length;a<o;a+=2)for(let s=0,
u=i.length;s<u;s+=2)if(n[a]===i[s]&&n[a+1]===i[s+1]&&n[(a+2)%o]===i[(s+u-2)%u]&&n[(a+3)%o]===i[(s+u-1)%u]){yield r;break e}}}}_cell(t){let{circumcenters:n,delaunay:{
inedges:r,halfedges:i,triangles:a}}=this,o=r[t];if(o===-1)return null;let s=[],u=o;do{let l=Math.floor(u/3);if(s.push(n[l*2],n[l*2+1]),u=u%3===2?u-2:u+1,a[u]!==
t)break;u=i[u]}while(u!==o&&u!==-1);return s}_clip(t){if(t===0&&this.delaunay.hull.length===1)return[this.xmax,this.ymin,this.xmax,this.ymax,this.xmin,this.ymax,
this.xmin,this.ymin];let n=this._cell(t);if(n===null)return null;let{vectors:r}=this,i=t*4;return this._simplify(r[i]||r[i+1]?this._clipInfinite(t,n,r[i],r[i+1],
r[i+2],r[i+3]):this._clipFinite(t,n))}_clipFinite(t,n){let r=n.length,i=null,a,o,s=n[r-2],u=n[r-1],l,c=this._regioncode(s,u),f,d=0;for(let h=0;h<r;h+=2)if(a=s,o=
u,s=n[h],u=n[h+1],l=c,c=this._regioncode(s,u),l===0&&c===0)f=d,d=0,i?i.push(s,u):i=[s,u];else{let p,g,m,y,b;if(l===0){if((p=this._clipSegment(a,o,s,u,l,c))===null)
continue;[g,m,y,b]=p}else{if((p=this._clipSegment(s,u,a,o,c,l))===null)continue;[y,b,g,m]=p,f=d,d=this._edgecode(g,m),f&&d&&this._edge(t,f,d,i,i.length),i?i.push(
g,m):i=[g,m]}f=d,d=this._edgecode(y,b),f&&d&&this._edge(t,f,d,i,i.length),i?i.push(y,b):i=[y,b]}if(i)f=d,d=this._edgecode(i[0],i[1]),f&&d&&this._edge(t,f,d,i,i.
length);else if(this.contains(t,(this.xmin+this.xmax)/2,(this.ymin+this.ymax)/2))return[this.xmax,this.ymin,this.xmax,this.ymax,this.xmin,this.ymax,this.xmin,this.
ymin];return i}_clipSegment(t,n,r,i,a,o){let s=a<o;for(s&&([t,n,r,i,a,o]=[r,i,t,n,o,a]);;){if(a===0&&o===0)return s?[r,i,t,n]:[t,n,r,i];if(a&o)return null;let u,
l,c=a||o;c&8?(u=t+(r-t)*(this.ymax-n)/(i-n),l=this.ymax):c&4?(u=t+(r-t)*(this.ymin-n)/(i-n),l=this.ymin):c&2?(l=n+(i-n)*(this.xmax-t)/(r-t),u=this.xmax):(l=n+(i-
n)*(this.xmin-t)/(r-t),u=this.xmin),a?(t=u,n=l,a=this._regioncode(t,n)):(r=u,i=l,o=this._regioncode(r,i))}}_clipInfinite(t,n,r,i,a,o){let s=Array.from(n),u;if((u=
this._project(s[0],s[1],r,i))&&s.unshift(u[0],u[1]),(u=this._project(s[s.length-2],s[s.length-1],a,o))&&s.push(u[0],u[1]),s=this._clipFinite(t,s))for(let l=0,c=s.
length,f,d=this._edgecode(s[c-2],s[c-1]);l<c;l+=2)f=d,d=this._edgecode(s[l],s[l+1]),f&&d&&(l=this._edge(t,f,d,s,l),c=s.length);else this.contains(t,(this.xmin+this.
xmax)/2,(this.ymin+this.ymax)/2)&&(s=[this.xmin,this.ymin,this.xmax,this.ymin,this.xmax,this.ymax,this.xmin,this.ymax]);return s}_edge(t,n,r,i,a){for(;n!==r;){let o,
s;switch(n){case 5:n=4;continue;case 4:n=6,o=this.xmax,s=this.ymin;break;case 6:n=2;continue;case 2:n=10,o=this.xmax,s=this.ymax;break;case 10:n=8;continue;case 8:
n=9,o=this.xmin,s=this.ymax;break;case 9:n=1;continue;case 1:n=5,o=this.xmin,s=this.ymin;break}(i[a]!==o||i[a+1]!==s)&&this.contains(t,o,s)&&(i.splice(a,0,o,s),
a+=2)}return a}_project(t,n,r,i){let a=1/0,o,s,u;if(i<0){if(n<=this.ymin)return null;(o=(this.ymin-n)/i)<a&&(u=this.ymin,s=t+(a=o)*r)}else if(i>0){if(n>=this.ymax)
return null;(o=(this.ymax-n)/i)<a&&(u=this.ymax,s=t+(a=o)*r)}if(r>0){if(t>=this.xmax)return null;(o=(this.xmax-t)/r)<a&&(s=this.xmax,u=n+(a=o)*i)}else if(r<0){if(t<=
this.xmin)return null;(o=(this.xmin-t)/r)<a&&(s=this.xmin,u=n+(a=o)*i)}return[s,u]}_edgecode(t,n){return(t===this.xmin?1:t===this.xmax?2:0)|(n===this.ymin?4:n===
this.ymax?8:0)}_regioncode(t,n){return(t<this.xmin?1:t>this.xmax?2:0)|(n<this.ymin?4:n>this.ymax?8:0)}_simplify(t){if(t&&t.length>4){for(let n=0;n<t.length;n+=2){
let r=(n+2)%t.length,i=(n+4)%t.length;(t[n]===t[r]&&t[r]===t[i]||t[n+1]===t[r+1]&&t[r+1]===t[i+1])&&(t.splice(r,2),n-=2)}t.length||(t=null)}return t}},eK=2*Math.
PI,Sl=Math.pow;function tK(e){return e[0]}function nK(e){return e[1]}function rK(e){let{triangles:t,coords:n}=e;for(let r=0;r<t.length;r+=3){let i=2*t[r],a=2*t[r+
1],o=2*t[r+2];if((n[o]-n[i])*(n[a+1]-n[i+1])-(n[a]-n[i])*(n[o+1]-n[i+1])>1e-10)return!1}return!0}function iK(e,t,n){return[e+Math.sin(e+t)*n,t+Math.cos(e-t)*n]}
var Dg=class e{static from(t,n=tK,r=nK,i){return new e("length"in t?aK(t,n,r,i):Float64Array.from(oK(t,n,r,i)))}constructor(t){this._delaunator=new Mg(t),this.inedges=
new Int32Array(t.length/2),this._hullIndex=new Int32Array(t.length/2),this.points=this._delaunator.coords,this._init()}update(){return this._delaunator.update(),
this._init(),this}_init(){let t=this._delaunator,n=this.points;if(t.hull&&t.hull.length>2&&rK(t)){this.collinear=Int32Array.from({length:n.length/2},(d,h)=>h).sort(
(d,h)=>n[2*d]-n[2*h]||n[2*d+1]-n[2*h+1]);let u=this.collinear[0],l=this.collinear[this.collinear.length-1],c=[n[2*u],n[2*u+1],n[2*l],n[2*l+1]],f=1e-8*Math.hypot(
c[3]-c[1],c[2]-c[0]);for(let d=0,h=n.length/2;d<h;++d){let p=iK(n[2*d],n[2*d+1],f);n[2*d]=p[0],n[2*d+1]=p[1]}this._delaunator=new Mg(n)}else delete this.collinear;
let r=this.halfedges=this._delaunator.halfedges,i=this.hull=this._delaunator.hull,a=this.triangles=this._delaunator.triangles,o=this.inedges.fill(-1),s=this._hullIndex.
fill(-1);for(let u=0,l=r.length;u<l;++u){let c=a[u%3===2?u-2:u+1];(r[u]===-1||o[c]===-1)&&(o[c]=u)}for(let u=0,l=i.length;u<l;++u)s[i[u]]=u;i.length<=2&&i.length>
0&&(this.triangles=new Int32Array(3).fill(-1),this.halfedges=new Int32Array(3).fill(-1),this.triangles[0]=i[0],o[i[0]]=1,i.length===2&&(o[i[1]]=0,this.triangles[1]=
i[1],this.triangles[2]=i[1]))}voronoi(t){return new $w(this,t)}*neighbors(t){let{inedges:n,hull:r,_hullIndex:i,halfedges:a,triangles:o,collinear:s}=this;if(s){let f=s.
indexOf(t);f>0&&(yield s[f-1]),f<s.length-1&&(yield s[f+1]);return}let u=n[t];if(u===-1)return;let l=u,c=-1;do{if(yield c=o[l],l=l%3===2?l-2:l+1,o[l]!==t)return;
if(l=a[l],l===-1){let f=r[(i[t]+1)%r.length];f!==c&&(yield f);return}}while(l!==u)}find(t,n,r=0){if(t=+t,t!==t||(n=+n,n!==n))return-1;let i=r,a;for(;(a=this._step(
r,t,n))>=0&&a!==r&&a!==i;)r=a;return a}_step(t,n,r){let{inedges:i,hull:a,_hullIndex:o,halfedges:s,triangles:u,points:l}=this;if(l.length<2)return-1;if(i[t]===-1)
return(t+1)%(l.length>>1);let c=t,f=Sl(n-l[t*2],2)+Sl(r-l[t*2+1],2),d=i[t],h=d;do{let p=u[h],g=Sl(n-l[p*2],2)+Sl(r-l[p*2+1],2);if(g<f&&(f=g,c=p),h=h%3===2?h-2:h+
1,u[h]!==t)break;if(h=s[h],h===-1){if(h=a[(o[t]+1)%a.length],h!==p&&Sl(n-l[h*2],2)+Sl(r-l[h*2+1],2)<f)return h;break}}while(h!==d);return c}render(t){let n=t==null?
t=new Ea:void 0,{points:r,halfedges:i,triangles:a}=this;for(let o=0,s=i.length;o<s;++o){let u=i[o];if(u<o)continue;let l=a[o]*2,c=a[u]*2;t.moveTo(r[l],r[l+1]),t.
lineTo(r[c],r[c+1])}return this.renderHull(t),n&&n.value()}renderPoints(t,n){n===void 0&&(!t||typeof t.moveTo!="function")&&(n=t,t=null),n=n==null?2:+n;let r=t==
null?t=new Ea:void 0,{points:i}=this;for(let a=0,o=i.length&-2;a<o;a+=2){let s=i[a],u=i[a+1];t.moveTo(s+n,u),t.arc(s,u,n,0,eK)}return r&&r.value()}renderHull(t){
let n=t==null?t=new Ea:void 0,{hull:r,points:i}=this,a=r[0]*2,o=r.length;t.moveTo(i[a],i[a+1]);for(let s=1;s<o;++s){let u=2*r[s];t.lineTo(i[u],i[u+1])}return t.
closePath(),n&&n.value()}hullPolygon(){let t=new td;return this.renderHull(t),t.value()}renderTriangle(t,n){let r=n==null?n=new Ea:void 0,{points:i,triangles:a}=this,
o=a[t*=3]*2,s=a[t+1]*2,u=a[t+2]*2;return n.moveTo(i[o],i[o+1]),n.lineTo(i[s],i[s+1]),n.lineTo(i[u],i[u+1]),n.closePath(),r&&r.value()}*trianglePolygons(){let{triangles:t}=this;
for(let n=0,r=t.length/3;n<r;++n)yield this.trianglePolygon(n)}trianglePolygon(t){let n=new td;return this.renderTriangle(t,n),n.value()}};function aK(e,t,n,r){
let i=e.length,a=new Float64Array(i*2);for(let o=0;o<i;++o){let s=e[o];a[o*2]=t.call(r,s,o,e),a[o*2+1]=n.call(r,s,o,e)}return a}function*oK(e,t,n,r){let i=0;for(let a of e)
yield t.call(r,a,i,e),yield n.call(r,a,i,e),++i}function Tw(e){T.call(this,null,e)}Tw.Definition={type:"Voronoi",metadata:{modifies:!0},params:[{name:"x",type:"field",required:!0},{name:"y",type:"field",required:!0},
{name:"size",type:"number",array:!0,length:2},{name:"extent",type:"array",array:!0,length:2,default:[[-1e5,-1e5],[1e5,1e5]],content:{type:"number",array:!0,length:2}},
{name:"as",type:"string",default:"path"}]};var sK=[-1e5,-1e5,1e5,1e5];z(Tw,T,{transform(e,t){let n=e.as||"path",r=t.source;if(!r||!r.length)return t;let i=e.size;
i=i?[0,0,i[0],i[1]]:(i=e.extent)?[i[0][0],i[0][1],i[1][0],i[1][1]]:sK;let a=this.value=Dg.from(r,e.x,e.y).voronoi(i);for(let o=0,s=r.length;o<s;++o){let u=a.cellPolygon(
o);r[o][n]=u&&!lK(u)?uK(u):null}return t.reflow(e.modified()).modifies(n)}});function uK(e){let t=e[0][0],n=e[0][1],r=e.length-1;for(;e[r][0]===t&&e[r][1]===n;--r)
;return"M"+e.slice(0,r+1).join("L")+"Z"}function lK(e){return e.length===2&&e[0][0]===e[1][0]&&e[0][1]===e[1][1]}var Bw={};gr(Bw,{wordcloud:()=>Nw});var Ow=Math.PI/180,nd=64,$g=2048;function cK(){var e=[256,256],t,n,r,i,a,o,s,u=O9,l=[],c=Math.random,f={};f.layout=function(){for(var p=d(br()),g=mK((e[0]>>5)*e[1]),
m=null,y=l.length,b=-1,x=[],v=l.map(E=>({text:t(E),font:n(E),style:i(E),weight:a(E),rotate:o(E),size:~~(r(E)+1e-14),padding:s(E),xoff:0,yoff:0,x1:0,y1:0,x0:0,y0:0,
hasText:!1,sprite:null,datum:E})).sort((E,A)=>A.size-E.size);++b<y;){var w=v[b];w.x=e[0]*(c()+.5)>>1,w.y=e[1]*(c()+.5)>>1,fK(p,w,v,b),w.hasText&&h(g,w,m)&&(x.push(
w),m?hK(m,w):m=[{x:w.x+w.x0,y:w.y+w.y0},{x:w.x+w.x1,y:w.y+w.y1}],w.x-=e[0]>>1,w.y-=e[1]>>1)}return x};function d(p){p.width=p.height=1;var g=Math.sqrt(p.getContext(
"2d").getImageData(0,0,1,1).data.length>>2);p.width=(nd<<5)/g,p.height=$g/g;var m=p.getContext("2d");return m.fillStyle=m.strokeStyle="red",m.textAlign="center",
{context:m,ratio:g}}function h(p,g,m){for(var y=g.x,b=g.y,x=Math.hypot(e[0],e[1]),v=u(e),w=c()<.5?1:-1,E=-w,A,S,C;(A=v(E+=w))&&(S=~~A[0],C=~~A[1],!(Math.min(Math.
abs(S),Math.abs(C))>=x));)if(g.x=y+S,g.y=b+C,!(g.x+g.x0<0||g.y+g.y0<0||g.x+g.x1>e[0]||g.y+g.y1>e[1])&&(!m||!dK(g,p,e[0]))&&(!m||pK(g,m))){for(var _=g.sprite,k=g.
width>>5,M=e[0]>>5,$=g.x-(k<<4),O=$&127,F=32-O,P=g.y1-g.y0,Q=(g.y+g.y0)*M+($>>5),J,ie=0;ie<P;ie++){J=0;for(var me=0;me<=k;me++)p[Q+me]|=J<<F|(me<k?(J=_[ie*k+me])>>>
O:0);Q+=M}return g.sprite=null,!0}return!1}return f.words=function(p){return arguments.length?(l=p,f):l},f.size=function(p){return arguments.length?(e=[+p[0],+p[1]],
f):e},f.font=function(p){return arguments.length?(n=zs(p),f):n},f.fontStyle=function(p){return arguments.length?(i=zs(p),f):i},f.fontWeight=function(p){return arguments.
length?(a=zs(p),f):a},f.rotate=function(p){return arguments.length?(o=zs(p),f):o},f.text=function(p){return arguments.length?(t=zs(p),f):t},f.spiral=function(p){
return arguments.length?(u=yK[p]||p,f):u},f.fontSize=function(p){return arguments.length?(r=zs(p),f):r},f.padding=function(p){return arguments.length?(s=zs(p),f):
s},f.random=function(p){return arguments.length?(c=p,f):c},f}function fK(e,t,n,r){if(!t.sprite){var i=e.context,a=e.ratio;i.clearRect(0,0,(nd<<5)/a,$g/a);var o=0,
s=0,u=0,l=n.length,c,f,d,h,p;for(--r;++r<l;){if(t=n[r],i.save(),i.font=t.style+" "+t.weight+" "+~~((t.size+1)/a)+"px "+t.font,c=i.measureText(t.text+"m").width*
a,d=t.size<<1,t.rotate){var g=Math.sin(t.rotate*Ow),m=Math.cos(t.rotate*Ow),y=c*m,b=c*g,x=d*m,v=d*g;c=Math.max(Math.abs(y+v),Math.abs(y-v))+31>>5<<5,d=~~Math.max(
Math.abs(b+x),Math.abs(b-x))}else c=c+31>>5<<5;if(d>u&&(u=d),o+c>=nd<<5&&(o=0,s+=u,u=0),s+d>=$g)break;i.translate((o+(c>>1))/a,(s+(d>>1))/a),t.rotate&&i.rotate(
t.rotate*Ow),i.fillText(t.text,0,0),t.padding&&(i.lineWidth=2*t.padding,i.strokeText(t.text,0,0)),i.restore(),t.width=c,t.height=d,t.xoff=o,t.yoff=s,t.x1=c>>1,t.
y1=d>>1,t.x0=-t.x1,t.y0=-t.y1,t.hasText=!0,o+=c}for(var w=i.getImageData(0,0,(nd<<5)/a,$g/a).data,E=[];--r>=0;)if(t=n[r],!!t.hasText){for(c=t.width,f=c>>5,d=t.y1-
t.y0,h=0;h<d*f;h++)E[h]=0;if(o=t.xoff,o==null)return;s=t.yoff;var A=0,S=-1;for(p=0;p<d;p++){for(h=0;h<c;h++){var C=f*p+(h>>5),_=w[(s+p)*(nd<<5)+(o+h)<<2]?1<<31-
h%32:0;E[C]|=_,A|=_}A?S=p:(t.y0++,d--,p--,s++)}t.y1=t.y0+S,t.sprite=E.slice(0,(t.y1-t.y0)*f)}}}function dK(e,t,n){n>>=5;for(var r=e.sprite,i=e.width>>5,a=e.x-(i<<
4),o=a&127,s=32-o,u=e.y1-e.y0,l=(e.y+e.y0)*n+(a>>5),c,f=0;f<u;f++){c=0;for(var d=0;d<=i;d++)if((c<<s|(d<i?(c=r[f*i+d])>>>o:0))&t[l+d])return!0;l+=n}return!1}function hK(e,t){
var n=e[0],r=e[1];t.x+t.x0<n.x&&(n.x=t.x+t.x0),t.y+t.y0<n.y&&(n.y=t.y+t.y0),t.x+t.x1>r.x&&(r.x=t.x+t.x1),t.y+t.y1>r.y&&(r.y=t.y+t.y1)}function pK(e,t){return e.
x+e.x1>t[0].x&&e.x+e.x0<t[1].x&&e.y+e.y1>t[0].y&&e.y+e.y0<t[1].y}function O9(e){var t=e[0]/e[1];return function(n){return[t*(n*=.1)*Math.cos(n),n*Math.sin(n)]}}
function gK(e){var t=4,n=t*e[0]/e[1],r=0,i=0;return function(a){var o=a<0?-1:1;switch(Math.sqrt(1+4*o*a)-o&3){case 0:r+=n;break;case 1:i+=t;break;case 2:r-=n;break;default:
i-=t;break}return[r,i]}}function mK(e){for(var t=[],n=-1;++n<e;)t[n]=0;return t}function zs(e){return typeof e=="function"?e:function(){return e}}var yK={archimedean:O9,
rectangular:gK},N9=["x","y","font","fontSize","fontStyle","fontWeight","angle"],bK=["text","font","rotate","fontSize","fontStyle","fontWeight"];function Nw(e){T.
call(this,cK(),e)}Nw.Definition={type:"Wordcloud",metadata:{modifies:!0},params:[{name:"size",type:"number",array:!0,length:2},{name:"font",type:"string",expr:!0,
default:"sans-serif"},{name:"fontStyle",type:"string",expr:!0,default:"normal"},{name:"fontWeight",type:"string",expr:!0,default:"normal"},{name:"fontSize",type:"\
number",expr:!0,default:14},{name:"fontSizeRange",type:"number",array:"nullable",default:[10,50]},{name:"rotate",type:"number",expr:!0,default:0},{name:"text",type:"\
field"},{name:"spiral",type:"string",values:["archimedean","rectangular"]},{name:"padding",type:"number",expr:!0},{name:"as",type:"string",array:!0,length:7,default:N9}]};
z(Nw,T,{transform(e,t){e.size&&!(e.size[0]&&e.size[1])&&D("Wordcloud size dimensions must be non-zero.");function n(p){let g=e[p];return ae(g)&&t.modified(g.fields)}
let r=e.modified();if(!(r||t.changed(t.ADD_REM)||bK.some(n)))return;let i=t.materialize(t.SOURCE).source,a=this.value,o=e.as||N9,s=e.fontSize||14,u;if(ae(s)?u=e.
fontSizeRange:s=Ke(s),u){let p=s,g=Ce("sqrt")().domain(on(i,p)).range(u);s=m=>g(p(m))}i.forEach(p=>{p[o[0]]=NaN,p[o[1]]=NaN,p[o[3]]=0});let l=a.words(i).text(e.
text).size(e.size||[500,500]).padding(e.padding||1).spiral(e.spiral||"archimedean").rotate(e.rotate||0).font(e.font||"sans-serif").fontStyle(e.fontStyle||"norma\
l").fontWeight(e.fontWeight||"normal").fontSize(s).random(yr).layout(),c=a.size(),f=c[0]>>1,d=c[1]>>1,h=l.length;for(let p=0,g,m;p<h;++p)g=l[p],m=g.datum,m[o[0]]=
g.x+f,m[o[1]]=g.y+d,m[o[2]]=g.font,m[o[3]]=g.size,m[o[4]]=g.style,m[o[5]]=g.weight,m[o[6]]=g.rotate;return t.reflow(r).modifies(o)}});var zw={};gr(zw,{crossfilter:()=>Pw,resolvefilter:()=>Iw});var xK=e=>new Uint8Array(e),vK=e=>new Uint16Array(e),rd=e=>new Uint32Array(e);function wK(){let e=8,t=[],n=rd(0),r=Tg(0,e),i=Tg(0,e);return{data:()=>t,seen:()=>n=
AK(n,t.length),add(a){for(let o=0,s=t.length,u=a.length,l;o<u;++o)l=a[o],l._index=s++,t.push(l)},remove(a,o){let s=t.length,u=Array(s-a),l=t,c,f,d;for(f=0;!o[f]&&
f<s;++f)u[f]=t[f],l[f]=f;for(d=f;f<s;++f)c=t[f],o[f]?l[f]=-1:(l[f]=d,r[d]=r[f],i[d]=i[f],u[d]=c,c._index=d++),r[f]=0;return t=u,l},size:()=>t.length,curr:()=>r,
prev:()=>i,reset:a=>i[a]=r[a],all:()=>e<257?255:e<65537?65535:4294967295,set(a,o){r[a]|=o},clear(a,o){r[a]&=~o},resize(a,o){let s=r.length;(a>s||o>e)&&(e=Math.max(
o,e),r=Tg(a,e,r),i=Tg(a,e))}}}function AK(e,t,n){return e.length>=t?e:(n=n||new e.constructor(t),n.set(e),n)}function Tg(e,t,n){let r=(t<257?xK:t<65537?vK:rd)(e);
return n&&r.set(n),r}function B9(e,t,n){let r=1<<t;return{one:r,zero:~r,range:n.slice(),bisect:e.bisect,index:e.index,size:e.size,onAdd(i,a){let o=this,s=o.bisect(
o.range,i.value),u=i.index,l=s[0],c=s[1],f=u.length,d;for(d=0;d<l;++d)a[u[d]]|=r;for(d=c;d<f;++d)a[u[d]]|=r;return o}}}function P9(){let e=rd(0),t=[],n=0;function r(s,u,l){
if(!u.length)return[];let c=n,f=u.length,d=rd(f),h=Array(f),p,g,m;for(m=0;m<f;++m)h[m]=s(u[m]),d[m]=m;if(h=EK(h,d),c)p=t,g=e,t=Array(c+f),e=rd(c+f),SK(l,p,g,c,h,
d,f,t,e);else{if(l>0)for(m=0;m<f;++m)d[m]+=l;t=h,e=d}return n=c+f,{index:d,value:h}}function i(s,u){let l=n,c,f,d;for(f=0;!u[e[f]]&&f<l;++f);for(d=f;f<l;++f)u[c=
e[f]]||(e[d]=c,t[d]=t[f],++d);n=l-s}function a(s){for(let u=0,l=n;u<l;++u)e[u]=s[e[u]]}function o(s,u){let l;return u?l=u.length:(u=t,l=n),[uy(u,s[0],0,l),uy(u,
s[1],0,l)]}return{insert:r,remove:i,bisect:o,reindex:a,index:()=>e,size:()=>n}}function EK(e,t){return e.sort.call(t,(n,r)=>{let i=e[n],a=e[r];return i<a?-1:i>a?
1:0}),oS(e,t)}function SK(e,t,n,r,i,a,o,s,u){let l=0,c=0,f;for(f=0;l<r&&c<o;++f)t[l]<i[c]?(s[f]=t[l],u[f]=n[l++]):(s[f]=i[c],u[f]=a[c++]+e);for(;l<r;++l,++f)s[f]=
t[l],u[f]=n[l];for(;c<o;++c,++f)s[f]=i[c],u[f]=a[c]+e}function Pw(e){T.call(this,wK(),e),this._indices=null,this._dims=null}Pw.Definition={type:"CrossFilter",metadata:{},
params:[{name:"fields",type:"field",array:!0,required:!0},{name:"query",type:"array",array:!0,required:!0,content:{type:"number",array:!0,length:2}}]};z(Pw,T,{transform(e,t){
if(this._dims){var n=e.modified("fields")||e.fields.some(r=>t.modified(r.fields));return n?this.reinit(e,t):this.eval(e,t)}else return this.init(e,t)},init(e,t){
let n=e.fields,r=e.query,i=this._indices={},a=this._dims=[],o=r.length,s=0,u,l;for(;s<o;++s)u=n[s].fname,l=i[u]||(i[u]=P9()),a.push(B9(l,s,r[s]));return this.eval(
e,t)},reinit(e,t){let n=t.materialize().fork(),r=e.fields,i=e.query,a=this._indices,o=this._dims,s=this.value,u=s.curr(),l=s.prev(),c=s.all(),f=n.rem=n.add,d=n.
mod,h=i.length,p={},g,m,y,b,x,v,w,E,A;if(l.set(u),t.rem.length&&(x=this.remove(e,t,n)),t.add.length&&s.add(t.add),t.mod.length)for(v={},b=t.mod,w=0,E=b.length;w<
E;++w)v[b[w]._index]=1;for(w=0;w<h;++w)A=r[w],(!o[w]||e.modified("fields",w)||t.modified(A.fields))&&(y=A.fname,(g=p[y])||(a[y]=m=P9(),p[y]=g=m.insert(A,t.source,
0)),o[w]=B9(m,w,i[w]).onAdd(g,u));for(w=0,E=s.data().length;w<E;++w)x[w]||(l[w]!==u[w]?f.push(w):v[w]&&u[w]!==c&&d.push(w));return s.mask=(1<<h)-1,n},eval(e,t){
let n=t.materialize().fork(),r=this._dims.length,i=0;return t.rem.length&&(this.remove(e,t,n),i|=(1<<r)-1),e.modified("query")&&!e.modified("fields")&&(i|=this.
update(e,t,n)),t.add.length&&(this.insert(e,t,n),i|=(1<<r)-1),t.mod.length&&(this.modify(t,n),i|=(1<<r)-1),this.value.mask=i,n},insert(e,t,n){let r=t.add,i=this.
value,a=this._dims,o=this._indices,s=e.fields,u={},l=n.add,c=i.size()+r.length,f=a.length,d=i.size(),h,p,g;i.resize(c,f),i.add(r);let m=i.curr(),y=i.prev(),b=i.
all();for(h=0;h<f;++h)p=s[h].fname,g=u[p]||(u[p]=o[p].insert(s[h],r,d)),a[h].onAdd(g,m);for(;d<c;++d)y[d]=b,m[d]!==b&&l.push(d)},modify(e,t){let n=t.mod,r=this.
value,i=r.curr(),a=r.all(),o=e.mod,s,u,l;for(s=0,u=o.length;s<u;++s)l=o[s]._index,i[l]!==a&&n.push(l)},remove(e,t,n){let r=this._indices,i=this.value,a=i.curr(),
o=i.prev(),s=i.all(),u={},l=n.rem,c=t.rem,f,d,h,p;for(f=0,d=c.length;f<d;++f)h=c[f]._index,u[h]=1,o[h]=p=a[h],a[h]=s,p!==s&&l.push(h);for(h in r)r[h].remove(d,u);
return this.reindex(t,d,u),u},reindex(e,t,n){let r=this._indices,i=this.value;e.runAfter(()=>{let a=i.remove(t,n);for(let o in r)r[o].reindex(a)})},update(e,t,n){
let r=this._dims,i=e.query,a=t.stamp,o=r.length,s=0,u,l;for(n.filters=0,l=0;l<o;++l)e.modified("query",l)&&(u=l,++s);if(s===1)s=r[u].one,this.incrementOne(r[u],
i[u],n.add,n.rem);else for(l=0,s=0;l<o;++l)e.modified("query",l)&&(s|=r[l].one,this.incrementAll(r[l],i[l],a,n.add),n.rem=n.add);return s},incrementAll(e,t,n,r){
let i=this.value,a=i.seen(),o=i.curr(),s=i.prev(),u=e.index(),l=e.bisect(e.range),c=e.bisect(t),f=c[0],d=c[1],h=l[0],p=l[1],g=e.one,m,y,b;if(f<h)for(m=f,y=Math.
min(h,d);m<y;++m)b=u[m],a[b]!==n&&(s[b]=o[b],a[b]=n,r.push(b)),o[b]^=g;else if(f>h)for(m=h,y=Math.min(f,p);m<y;++m)b=u[m],a[b]!==n&&(s[b]=o[b],a[b]=n,r.push(b)),
o[b]^=g;if(d>p)for(m=Math.max(f,p),y=d;m<y;++m)b=u[m],a[b]!==n&&(s[b]=o[b],a[b]=n,r.push(b)),o[b]^=g;else if(d<p)for(m=Math.max(h,d),y=p;m<y;++m)b=u[m],a[b]!==n&&
(s[b]=o[b],a[b]=n,r.push(b)),o[b]^=g;e.range=t.slice()},incrementOne(e,t,n,r){let i=this.value,a=i.curr(),o=e.index(),s=e.bisect(e.range),u=e.bisect(t),l=u[0],c=u[1],
f=s[0],d=s[1],h=e.one,p,g,m;if(l<f)for(p=l,g=Math.min(f,c);p<g;++p)m=o[p],a[m]^=h,n.push(m);else if(l>f)for(p=f,g=Math.min(l,d);p<g;++p)m=o[p],a[m]^=h,r.push(m);
if(c>d)for(p=Math.max(l,d),g=c;p<g;++p)m=o[p],a[m]^=h,n.push(m);else if(c<d)for(p=Math.max(f,c),g=d;p<g;++p)m=o[p],a[m]^=h,r.push(m);e.range=t.slice()}});function Iw(e){
T.call(this,null,e)}Iw.Definition={type:"ResolveFilter",metadata:{},params:[{name:"ignore",type:"number",required:!0,description:"A bit mask indicating which fi\
lters to ignore."},{name:"filter",type:"object",required:!0,description:"Per-tuple filter bitmaps from a CrossFilter transform."}]};z(Iw,T,{transform(e,t){let n=~(e.
ignore||0),r=e.filter,i=r.mask;if((i&n)===0)return t.StopPropagation;let a=t.fork(t.ALL),o=r.data(),s=r.curr(),u=r.prev(),l=c=>s[c]&n?null:o[c];return a.filter(
a.MOD,l),i&i-1?(a.filter(a.ADD,c=>{let f=s[c]&n;return!f&&f^u[c]&n?o[c]:null}),a.filter(a.REM,c=>{let f=s[c]&n;return f&&!(f^(f^u[c]&n))?o[c]:null})):(a.filter(
a.ADD,l),a.filter(a.REM,c=>(s[c]&n)===i?o[c]:null)),a.filter(a.SOURCE,c=>l(c._index))}});var I9=e=>+e;function z9(e){return e*e}function L9(e){return e*(2-e)}function Og(e){return((e*=2)<=1?e*e:--e*(2-e)+1)/2}function U9(e){return e*e*e}function q9(e){
return--e*e*e+1}function Ng(e){return((e*=2)<=1?e*e*e:(e-=2)*e*e+2)/2}var Uw=3,j9=(function e(t){t=+t;function n(r){return Math.pow(r,t)}return n.exponent=e,n})(
Uw),W9=(function e(t){t=+t;function n(r){return 1-Math.pow(1-r,t)}return n.exponent=e,n})(Uw),Bg=(function e(t){t=+t;function n(r){return((r*=2)<=1?Math.pow(r,t):
2-Math.pow(2-r,t))/2}return n.exponent=e,n})(Uw),G9=Math.PI,H9=G9/2;function Y9(e){return+e==1?1:1-Math.cos(e*H9)}function V9(e){return Math.sin(e*H9)}function Pg(e){
return(1-Math.cos(G9*e))/2}function To(e){return(Math.pow(2,-10*e)-.0009765625)*1.0009775171065494}function X9(e){return To(1-+e)}function K9(e){return 1-To(e)}
function Ig(e){return((e*=2)<=1?To(1-e):2-To(e-1))/2}function Q9(e){return 1-Math.sqrt(1-e*e)}function Z9(e){return Math.sqrt(1- --e*e)}function zg(e){return((e*=
2)<=1?1-Math.sqrt(1-e*e):Math.sqrt(1-(e-=2)*e)+1)/2}var Lw=4/11,CK=6/11,_K=8/11,kK=3/4,FK=9/11,MK=10/11,DK=15/16,$K=21/22,TK=63/64,Rg=1/Lw/Lw;function J9(e){return 1-
Ls(1-e)}function Ls(e){return(e=+e)<Lw?Rg*e*e:e<_K?Rg*(e-=CK)*e+kK:e<MK?Rg*(e-=FK)*e+DK:Rg*(e-=$K)*e+TK}function eM(e){return((e*=2)<=1?1-Ls(1-e):Ls(e-1)+1)/2}var qw=1.70158,
tM=(function e(t){t=+t;function n(r){return(r=+r)*r*(t*(r-1)+r)}return n.overshoot=e,n})(qw),nM=(function e(t){t=+t;function n(r){return--r*r*((r+1)*t+r)+1}return n.
overshoot=e,n})(qw),Lg=(function e(t){t=+t;function n(r){return((r*=2)<1?r*r*((t+1)*r-t):(r-=2)*r*((t+1)*r+t)+2)/2}return n.overshoot=e,n})(qw),_l=2*Math.PI,jw=1,
Ww=.3,rM=(function e(t,n){var r=Math.asin(1/(t=Math.max(1,t)))*(n/=_l);function i(a){return t*To(- --a)*Math.sin((r-a)/n)}return i.amplitude=function(a){return e(
a,n*_l)},i.period=function(a){return e(t,a)},i})(jw,Ww),Ug=(function e(t,n){var r=Math.asin(1/(t=Math.max(1,t)))*(n/=_l);function i(a){return 1-t*To(a=+a)*Math.
sin((a+r)/n)}return i.amplitude=function(a){return e(a,n*_l)},i.period=function(a){return e(t,a)},i})(jw,Ww),iM=(function e(t,n){var r=Math.asin(1/(t=Math.max(1,
t)))*(n/=_l);function i(a){return((a=a*2-1)<0?t*To(-a)*Math.sin((r-a)/n):2-t*To(a)*Math.sin((r+a)/n))/2}return i.amplitude=function(a){return e(a,n*_l)},i.period=
function(a){return e(t,a)},i})(jw,Ww);var OK="RawCode",_a="Literal",NK="Property",BK="Identifier",PK="ArrayExpression",IK="BinaryExpression",Kw="CallExpression",zK="ConditionalExpression",LK="Logica\
lExpression",UK="MemberExpression",qK="ObjectExpression",jK="UnaryExpression";function Yr(e){this.type=e}Yr.prototype.visit=function(e){let t,n,r;if(e(this))return 1;
for(t=WK(this),n=0,r=t.length;n<r;++n)if(t[n].visit(e))return 1};function WK(e){switch(e.type){case PK:return e.elements;case IK:case LK:return[e.left,e.right];case Kw:
return[e.callee].concat(e.arguments);case zK:return[e.test,e.consequent,e.alternate];case UK:return[e.object,e.property];case qK:return e.properties;case NK:return[
e.key,e.value];case jK:return[e.argument];case BK:case _a:case OK:default:return[]}}var Ri,ee,N,hn,Be,Wg=1,ud=2,Us=3,Ro=4,Gg=5,js=6,Wn=7,ld=8,GK=9;Ri={};Ri[Wg]=
"Boolean";Ri[ud]="<end>";Ri[Us]="Identifier";Ri[Ro]="Keyword";Ri[Gg]="Null";Ri[js]="Numeric";Ri[Wn]="Punctuator";Ri[ld]="String";Ri[GK]="RegularExpression";var HK="\
ArrayExpression",YK="BinaryExpression",VK="CallExpression",XK="ConditionalExpression",dM="Identifier",KK="Literal",QK="LogicalExpression",ZK="MemberExpression",
JK="ObjectExpression",eQ="Property",tQ="UnaryExpression",Lt="Unexpected token %0",nQ="Unexpected number",rQ="Unexpected string",iQ="Unexpected identifier",aQ="U\
nexpected reserved word",oQ="Unexpected end of input",Vw="Invalid regular expression",Gw="Invalid regular expression: missing /",hM="Octal literals are not allo\
wed in strict mode.",sQ="Duplicate data property in object literal not allowed in strict mode",Qt="ILLEGAL",od="Disabled.",uQ=new RegExp("[\\xAA\\xB5\\xBA\\xC0-\\xD6\
\\xD8-\\xF6\\xF8-\\u02C1\\u02C6-\\u02D1\\u02E0-\\u02E4\\u02EC\\u02EE\\u0370-\\u0374\\u0376\\u0377\\u037A-\\u037D\\u037F\\u0386\\u0388-\\u038A\\u038C\\u038E-\\u03A1\\u03A3-\\u03F5\\u03F7-\
\\u0481\\u048A-\\u052F\\u0531-\\u0556\\u0559\\u0561-\\u0587\\u05D0-\\u05EA\\u05F0-\\u05F2\\u0620-\\u064A\\u066E\\u066F\\u0671-\\u06D3\\u06D5\\u06E5\\u06E6\\u06EE\\u06EF\\u06FA-\\u06FC\\u\
06FF\\u0710\\u0712-\\u072F\\u074D-\\u07A5\\u07B1\\u07CA-\\u07EA\\u07F4\\u07F5\\u07FA\\u0800-\\u0815\\u081A\\u0824\\u0828\\u0840-\\u0858\\u08A0-\\u08B2\\u0904-\\u0939\\u093D\\u0950\\u095\
8-\\u0961\\u0971-\\u0980\\u0985-\\u098C\\u098F\\u0990\\u0993-\\u09A8\\u09AA-\\u09B0\\u09B2\\u09B6-\\u09B9\\u09BD\\u09CE\\u09DC\\u09DD\\u09DF-\\u09E1\\u09F0\\u09F1\\u0A05-\\u0A0A\\u0A0F\\\
u0A10\\u0A13-\\u0A28\\u0A2A-\\u0A30\\u0A32\\u0A33\\u0A35\\u0A36\\u0A38\\u0A39\\u0A59-\\u0A5C\\u0A5E\\u0A72-\\u0A74\\u0A85-\\u0A8D\\u0A8F-\\u0A91\\u0A93-\\u0AA8\\u0AAA-\\u0AB0\\u0AB2\\u0\
AB3\\u0AB5-\\u0AB9\\u0ABD\\u0AD0\\u0AE0\\u0AE1\\u0B05-\\u0B0C\\u0B0F\\u0B10\\u0B13-\\u0B28\\u0B2A-\\u0B30\\u0B32\\u0B33\\u0B35-\\u0B39\\u0B3D\\u0B5C\\u0B5D\\u0B5F-\\u0B61\\u0B71\\u0B83\\\
u0B85-\\u0B8A\\u0B8E-\\u0B90\\u0B92-\\u0B95\\u0B99\\u0B9A\\u0B9C\\u0B9E\\u0B9F\\u0BA3\\u0BA4\\u0BA8-\\u0BAA\\u0BAE-\\u0BB9\\u0BD0\\u0C05-\\u0C0C\\u0C0E-\\u0C10\\u0C12-\\u0C28\\u0C2A-\\u\
0C39\\u0C3D\\u0C58\\u0C59\\u0C60\\u0C61\\u0C85-\\u0C8C\\u0C8E-\\u0C90\\u0C92-\\u0CA8\\u0CAA-\\u0CB3\\u0CB5-\\u0CB9\\u0CBD\\u0CDE\\u0CE0\\u0CE1\\u0CF1\\u0CF2\\u0D05-\\u0D0C\\u0D0E-\\u0D1\
0\\u0D12-\\u0D3A\\u0D3D\\u0D4E\\u0D60\\u0D61\\u0D7A-\\u0D7F\\u0D85-\\u0D96\\u0D9A-\\u0DB1\\u0DB3-\\u0DBB\\u0DBD\\u0DC0-\\u0DC6\\u0E01-\\u0E30\\u0E32\\u0E33\\u0E40-\\u0E46\\u0E81\\u0E82\\\
u0E84\\u0E87\\u0E88\\u0E8A\\u0E8D\\u0E94-\\u0E97\\u0E99-\\u0E9F\\u0EA1-\\u0EA3\\u0EA5\\u0EA7\\u0EAA\\u0EAB\\u0EAD-\\u0EB0\\u0EB2\\u0EB3\\u0EBD\\u0EC0-\\u0EC4\\u0EC6\\u0EDC-\\u0EDF\\u0F0\
0\\u0F40-\\u0F47\\u0F49-\\u0F6C\\u0F88-\\u0F8C\\u1000-\\u102A\\u103F\\u1050-\\u1055\\u105A-\\u105D\\u1061\\u1065\\u1066\\u106E-\\u1070\\u1075-\\u1081\\u108E\\u10A0-\\u10C5\\u10C7\\u10CD\
\\u10D0-\\u10FA\\u10FC-\\u1248\\u124A-\\u124D\\u1250-\\u1256\\u1258\\u125A-\\u125D\\u1260-\\u1288\\u128A-\\u128D\\u1290-\\u12B0\\u12B2-\\u12B5\\u12B8-\\u12BE\\u12C0\\u12C2-\\u12C5\\u12C\
8-\\u12D6\\u12D8-\\u1310\\u1312-\\u1315\\u1318-\\u135A\\u1380-\\u138F\\u13A0-\\u13F4\\u1401-\\u166C\\u166F-\\u167F\\u1681-\\u169A\\u16A0-\\u16EA\\u16EE-\\u16F8\\u1700-\\u170C\\u170E-\\u\
1711\\u1720-\\u1731\\u1740-\\u1751\\u1760-\\u176C\\u176E-\\u1770\\u1780-\\u17B3\\u17D7\\u17DC\\u1820-\\u1877\\u1880-\\u18A8\\u18AA\\u18B0-\\u18F5\\u1900-\\u191E\\u1950-\\u196D\\u1970-\\\
u1974\\u1980-\\u19AB\\u19C1-\\u19C7\\u1A00-\\u1A16\\u1A20-\\u1A54\\u1AA7\\u1B05-\\u1B33\\u1B45-\\u1B4B\\u1B83-\\u1BA0\\u1BAE\\u1BAF\\u1BBA-\\u1BE5\\u1C00-\\u1C23\\u1C4D-\\u1C4F\\u1C5A-\
\\u1C7D\\u1CE9-\\u1CEC\\u1CEE-\\u1CF1\\u1CF5\\u1CF6\\u1D00-\\u1DBF\\u1E00-\\u1F15\\u1F18-\\u1F1D\\u1F20-\\u1F45\\u1F48-\\u1F4D\\u1F50-\\u1F57\\u1F59\\u1F5B\\u1F5D\\u1F5F-\\u1F7D\\u1F80-\
\\u1FB4\\u1FB6-\\u1FBC\\u1FBE\\u1FC2-\\u1FC4\\u1FC6-\\u1FCC\\u1FD0-\\u1FD3\\u1FD6-\\u1FDB\\u1FE0-\\u1FEC\\u1FF2-\\u1FF4\\u1FF6-\\u1FFC\\u2071\\u207F\\u2090-\\u209C\\u2102\\u2107\\u210A-\
\\u2113\\u2115\\u2119-\\u211D\\u2124\\u2126\\u2128\\u212A-\\u212D\\u212F-\\u2139\\u213C-\\u213F\\u2145-\\u2149\\u214E\\u2160-\\u2188\\u2C00-\\u2C2E\\u2C30-\\u2C5E\\u2C60-\\u2CE4\\u2CEB-\
\\u2CEE\\u2CF2\\u2CF3\\u2D00-\\u2D25\\u2D27\\u2D2D\\u2D30-\\u2D67\\u2D6F\\u2D80-\\u2D96\\u2DA0-\\u2DA6\\u2DA8-\\u2DAE\\u2DB0-\\u2DB6\\u2DB8-\\u2DBE\\u2DC0-\\u2DC6\\u2DC8-\\u2DCE\\u2DD0-\
\\u2DD6\\u2DD8-\\u2DDE\\u2E2F\\u3005-\\u3007\\u3021-\\u3029\\u3031-\\u3035\\u3038-\\u303C\\u3041-\\u3096\\u309D-\\u309F\\u30A1-\\u30FA\\u30FC-\\u30FF\\u3105-\\u312D\\u3131-\\u318E\\u31A\
0-\\u31BA\\u31F0-\\u31FF\\u3400-\\u4DB5\\u4E00-\\u9FCC\\uA000-\\uA48C\\uA4D0-\\uA4FD\\uA500-\\uA60C\\uA610-\\uA61F\\uA62A\\uA62B\\uA640-\\uA66E\\uA67F-\\uA69D\\uA6A0-\\uA6EF\\uA717-\\uA\
71F\\uA722-\\uA788\\uA78B-\\uA78E\\uA790-\\uA7AD\\uA7B0\\uA7B1\\uA7F7-\\uA801\\uA803-\\uA805\\uA807-\\uA80A\\uA80C-\\uA822\\uA840-\\uA873\\uA882-\\uA8B3\\uA8F2-\\uA8F7\\uA8FB\\uA90A-\\u\
A925\\uA930-\\uA946\\uA960-\\uA97C\\uA984-\\uA9B2\\uA9CF\\uA9E0-\\uA9E4\\uA9E6-\\uA9EF\\uA9FA-\\uA9FE\\uAA00-\\uAA28\\uAA40-\\uAA42\\uAA44-\\uAA4B\\uAA60-\\uAA76\\uAA7A\\uAA7E-\\uAAAF\\\
uAAB1\\uAAB5\\uAAB6\\uAAB9-\\uAABD\\uAAC0\\uAAC2\\uAADB-\\uAADD\\uAAE0-\\uAAEA\\uAAF2-\\uAAF4\\uAB01-\\uAB06\\uAB09-\\uAB0E\\uAB11-\\uAB16\\uAB20-\\uAB26\\uAB28-\\uAB2E\\uAB30-\\uAB5A\\\
uAB5C-\\uAB5F\\uAB64\\uAB65\\uABC0-\\uABE2\\uAC00-\\uD7A3\\uD7B0-\\uD7C6\\uD7CB-\\uD7FB\\uF900-\\uFA6D\\uFA70-\\uFAD9\\uFB00-\\uFB06\\uFB13-\\uFB17\\uFB1D\\uFB1F-\\uFB28\\uFB2A-\\uFB36\
\\uFB38-\\uFB3C\\uFB3E\\uFB40\\uFB41\\uFB43\\uFB44\\uFB46-\\uFBB1\\uFBD3-\\uFD3D\\uFD50-\\uFD8F\\uFD92-\\uFDC7\\uFDF0-\\uFDFB\\uFE70-\\uFE74\\uFE76-\\uFEFC\\uFF21-\\uFF3A\\uFF41-\\uFF5A\
\\uFF66-\\uFFBE\\uFFC2-\\uFFC7\\uFFCA-\\uFFCF\\uFFD2-\\uFFD7\\uFFDA-\\uFFDC]"),lQ=new RegExp("[\\xAA\\xB5\\xBA\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02C1\\u02C6-\\u02D1\\u02E0-\\u02\
E4\\u02EC\\u02EE\\u0300-\\u0374\\u0376\\u0377\\u037A-\\u037D\\u037F\\u0386\\u0388-\\u038A\\u038C\\u038E-\\u03A1\\u03A3-\\u03F5\\u03F7-\\u0481\\u0483-\\u0487\\u048A-\\u052F\\u0531-\\u055\
6\\u0559\\u0561-\\u0587\\u0591-\\u05BD\\u05BF\\u05C1\\u05C2\\u05C4\\u05C5\\u05C7\\u05D0-\\u05EA\\u05F0-\\u05F2\\u0610-\\u061A\\u0620-\\u0669\\u066E-\\u06D3\\u06D5-\\u06DC\\u06DF-\\u06E8\
\\u06EA-\\u06FC\\u06FF\\u0710-\\u074A\\u074D-\\u07B1\\u07C0-\\u07F5\\u07FA\\u0800-\\u082D\\u0840-\\u085B\\u08A0-\\u08B2\\u08E4-\\u0963\\u0966-\\u096F\\u0971-\\u0983\\u0985-\\u098C\\u098\
F\\u0990\\u0993-\\u09A8\\u09AA-\\u09B0\\u09B2\\u09B6-\\u09B9\\u09BC-\\u09C4\\u09C7\\u09C8\\u09CB-\\u09CE\\u09D7\\u09DC\\u09DD\\u09DF-\\u09E3\\u09E6-\\u09F1\\u0A01-\\u0A03\\u0A05-\\u0A0A\
\\u0A0F\\u0A10\\u0A13-\\u0A28\\u0A2A-\\u0A30\\u0A32\\u0A33\\u0A35\\u0A36\\u0A38\\u0A39\\u0A3C\\u0A3E-\\u0A42\\u0A47\\u0A48\\u0A4B-\\u0A4D\\u0A51\\u0A59-\\u0A5C\\u0A5E\\u0A66-\\u0A75\\u0A\
81-\\u0A83\\u0A85-\\u0A8D\\u0A8F-\\u0A91\\u0A93-\\u0AA8\\u0AAA-\\u0AB0\\u0AB2\\u0AB3\\u0AB5-\\u0AB9\\u0ABC-\\u0AC5\\u0AC7-\\u0AC9\\u0ACB-\\u0ACD\\u0AD0\\u0AE0-\\u0AE3\\u0AE6-\\u0AEF\\u0\
B01-\\u0B03\\u0B05-\\u0B0C\\u0B0F\\u0B10\\u0B13-\\u0B28\\u0B2A-\\u0B30\\u0B32\\u0B33\\u0B35-\\u0B39\\u0B3C-\\u0B44\\u0B47\\u0B48\\u0B4B-\\u0B4D\\u0B56\\u0B57\\u0B5C\\u0B5D\\u0B5F-\\u0B6\
3\\u0B66-\\u0B6F\\u0B71\\u0B82\\u0B83\\u0B85-\\u0B8A\\u0B8E-\\u0B90\\u0B92-\\u0B95\\u0B99\\u0B9A\\u0B9C\\u0B9E\\u0B9F\\u0BA3\\u0BA4\\u0BA8-\\u0BAA\\u0BAE-\\u0BB9\\u0BBE-\\u0BC2\\u0BC6-\\\
u0BC8\\u0BCA-\\u0BCD\\u0BD0\\u0BD7\\u0BE6-\\u0BEF\\u0C00-\\u0C03\\u0C05-\\u0C0C\\u0C0E-\\u0C10\\u0C12-\\u0C28\\u0C2A-\\u0C39\\u0C3D-\\u0C44\\u0C46-\\u0C48\\u0C4A-\\u0C4D\\u0C55\\u0C56\\\
u0C58\\u0C59\\u0C60-\\u0C63\\u0C66-\\u0C6F\\u0C81-\\u0C83\\u0C85-\\u0C8C\\u0C8E-\\u0C90\\u0C92-\\u0CA8\\u0CAA-\\u0CB3\\u0CB5-\\u0CB9\\u0CBC-\\u0CC4\\u0CC6-\\u0CC8\\u0CCA-\\u0CCD\\u0CD5\
\\u0CD6\\u0CDE\\u0CE0-\\u0CE3\\u0CE6-\\u0CEF\\u0CF1\\u0CF2\\u0D01-\\u0D03\\u0D05-\\u0D0C\\u0D0E-\\u0D10\\u0D12-\\u0D3A\\u0D3D-\\u0D44\\u0D46-\\u0D48\\u0D4A-\\u0D4E\\u0D57\\u0D60-\\u0D63\
\\u0D66-\\u0D6F\\u0D7A-\\u0D7F\\u0D82\\u0D83\\u0D85-\\u0D96\\u0D9A-\\u0DB1\\u0DB3-\\u0DBB\\u0DBD\\u0DC0-\\u0DC6\\u0DCA\\u0DCF-\\u0DD4\\u0DD6\\u0DD8-\\u0DDF\\u0DE6-\\u0DEF\\u0DF2\\u0DF3\\\
u0E01-\\u0E3A\\u0E40-\\u0E4E\\u0E50-\\u0E59\\u0E81\\u0E82\\u0E84\\u0E87\\u0E88\\u0E8A\\u0E8D\\u0E94-\\u0E97\\u0E99-\\u0E9F\\u0EA1-\\u0EA3\\u0EA5\\u0EA7\\u0EAA\\u0EAB\\u0EAD-\\u0EB9\\u0E\
BB-\\u0EBD\\u0EC0-\\u0EC4\\u0EC6\\u0EC8-\\u0ECD\\u0ED0-\\u0ED9\\u0EDC-\\u0EDF\\u0F00\\u0F18\\u0F19\\u0F20-\\u0F29\\u0F35\\u0F37\\u0F39\\u0F3E-\\u0F47\\u0F49-\\u0F6C\\u0F71-\\u0F84\\u0F8\
6-\\u0F97\\u0F99-\\u0FBC\\u0FC6\\u1000-\\u1049\\u1050-\\u109D\\u10A0-\\u10C5\\u10C7\\u10CD\\u10D0-\\u10FA\\u10FC-\\u1248\\u124A-\\u124D\\u1250-\\u1256\\u1258\\u125A-\\u125D\\u1260-\\u12\
88\\u128A-\\u128D\\u1290-\\u12B0\\u12B2-\\u12B5\\u12B8-\\u12BE\\u12C0\\u12C2-\\u12C5\\u12C8-\\u12D6\\u12D8-\\u1310\\u1312-\\u1315\\u1318-\\u135A\\u135D-\\u135F\\u1380-\\u138F\\u13A0-\\u\
13F4\\u1401-\\u166C\\u166F-\\u167F\\u1681-\\u169A\\u16A0-\\u16EA\\u16EE-\\u16F8\\u1700-\\u170C\\u170E-\\u1714\\u1720-\\u1734\\u1740-\\u1753\\u1760-\\u176C\\u176E-\\u1770\\u1772\\u1773\\\
u1780-\\u17D3\\u17D7\\u17DC\\u17DD\\u17E0-\\u17E9\\u180B-\\u180D\\u1810-\\u1819\\u1820-\\u1877\\u1880-\\u18AA\\u18B0-\\u18F5\\u1900-\\u191E\\u1920-\\u192B\\u1930-\\u193B\\u1946-\\u196D\
\\u1970-\\u1974\\u1980-\\u19AB\\u19B0-\\u19C9\\u19D0-\\u19D9\\u1A00-\\u1A1B\\u1A20-\\u1A5E\\u1A60-\\u1A7C\\u1A7F-\\u1A89\\u1A90-\\u1A99\\u1AA7\\u1AB0-\\u1ABD\\u1B00-\\u1B4B\\u1B50-\\u1B\
59\\u1B6B-\\u1B73\\u1B80-\\u1BF3\\u1C00-\\u1C37\\u1C40-\\u1C49\\u1C4D-\\u1C7D\\u1CD0-\\u1CD2\\u1CD4-\\u1CF6\\u1CF8\\u1CF9\\u1D00-\\u1DF5\\u1DFC-\\u1F15\\u1F18-\\u1F1D\\u1F20-\\u1F45\\u1\
F48-\\u1F4D\\u1F50-\\u1F57\\u1F59\\u1F5B\\u1F5D\\u1F5F-\\u1F7D\\u1F80-\\u1FB4\\u1FB6-\\u1FBC\\u1FBE\\u1FC2-\\u1FC4\\u1FC6-\\u1FCC\\u1FD0-\\u1FD3\\u1FD6-\\u1FDB\\u1FE0-\\u1FEC\\u1FF2-\\u\
1FF4\\u1FF6-\\u1FFC\\u200C\\u200D\\u203F\\u2040\\u2054\\u2071\\u207F\\u2090-\\u209C\\u20D0-\\u20DC\\u20E1\\u20E5-\\u20F0\\u2102\\u2107\\u210A-\\u2113\\u2115\\u2119-\\u211D\\u2124\\u2126\
\\u2128\\u212A-\\u212D\\u212F-\\u2139\\u213C-\\u213F\\u2145-\\u2149\\u214E\\u2160-\\u2188\\u2C00-\\u2C2E\\u2C30-\\u2C5E\\u2C60-\\u2CE4\\u2CEB-\\u2CF3\\u2D00-\\u2D25\\u2D27\\u2D2D\\u2D30\
-\\u2D67\\u2D6F\\u2D7F-\\u2D96\\u2DA0-\\u2DA6\\u2DA8-\\u2DAE\\u2DB0-\\u2DB6\\u2DB8-\\u2DBE\\u2DC0-\\u2DC6\\u2DC8-\\u2DCE\\u2DD0-\\u2DD6\\u2DD8-\\u2DDE\\u2DE0-\\u2DFF\\u2E2F\\u3005-\\u30\
07\\u3021-\\u302F\\u3031-\\u3035\\u3038-\\u303C\\u3041-\\u3096\\u3099\\u309A\\u309D-\\u309F\\u30A1-\\u30FA\\u30FC-\\u30FF\\u3105-\\u312D\\u3131-\\u318E\\u31A0-\\u31BA\\u31F0-\\u31FF\\u3\
400-\\u4DB5\\u4E00-\\u9FCC\\uA000-\\uA48C\\uA4D0-\\uA4FD\\uA500-\\uA60C\\uA610-\\uA62B\\uA640-\\uA66F\\uA674-\\uA67D\\uA67F-\\uA69D\\uA69F-\\uA6F1\\uA717-\\uA71F\\uA722-\\uA788\\uA78B-\
\\uA78E\\uA790-\\uA7AD\\uA7B0\\uA7B1\\uA7F7-\\uA827\\uA840-\\uA873\\uA880-\\uA8C4\\uA8D0-\\uA8D9\\uA8E0-\\uA8F7\\uA8FB\\uA900-\\uA92D\\uA930-\\uA953\\uA960-\\uA97C\\uA980-\\uA9C0\\uA9CF\
-\\uA9D9\\uA9E0-\\uA9FE\\uAA00-\\uAA36\\uAA40-\\uAA4D\\uAA50-\\uAA59\\uAA60-\\uAA76\\uAA7A-\\uAAC2\\uAADB-\\uAADD\\uAAE0-\\uAAEF\\uAAF2-\\uAAF6\\uAB01-\\uAB06\\uAB09-\\uAB0E\\uAB11-\\uA\
B16\\uAB20-\\uAB26\\uAB28-\\uAB2E\\uAB30-\\uAB5A\\uAB5C-\\uAB5F\\uAB64\\uAB65\\uABC0-\\uABEA\\uABEC\\uABED\\uABF0-\\uABF9\\uAC00-\\uD7A3\\uD7B0-\\uD7C6\\uD7CB-\\uD7FB\\uF900-\\uFA6D\\uF\
A70-\\uFAD9\\uFB00-\\uFB06\\uFB13-\\uFB17\\uFB1D-\\uFB28\\uFB2A-\\uFB36\\uFB38-\\uFB3C\\uFB3E\\uFB40\\uFB41\\uFB43\\uFB44\\uFB46-\\uFBB1\\uFBD3-\\uFD3D\\uFD50-\\uFD8F\\uFD92-\\uFDC7\\uF\
DF0-\\uFDFB\\uFE00-\\uFE0F\\uFE20-\\uFE2D\\uFE33\\uFE34\\uFE4D-\\uFE4F\\uFE70-\\uFE74\\uFE76-\\uFEFC\\uFF10-\\uFF19\\uFF21-\\uFF3A\\uFF3F\\uFF41-\\uFF5A\\uFF66-\\uFFBE\\uFFC2-\\uFFC7\\u\
FFCA-\\uFFCF\\uFFD2-\\uFFD7\\uFFDA-\\uFFDC]");function Hg(e,t){if(!e)throw new Error("ASSERT: "+t)}function Ca(e){return e>=48&&e<=57}function Qw(e){return"0123\
456789abcdefABCDEF".includes(e)}function ad(e){return"01234567".includes(e)}function cQ(e){return e===32||e===9||e===11||e===12||e===160||e>=5760&&[5760,6158,8192,
8193,8194,8195,8196,8197,8198,8199,8200,8201,8202,8239,8287,12288,65279].includes(e)}function sd(e){return e===10||e===13||e===8232||e===8233}function cd(e){return e===
36||e===95||e>=65&&e<=90||e>=97&&e<=122||e===92||e>=128&&uQ.test(String.fromCharCode(e))}function jg(e){return e===36||e===95||e>=65&&e<=90||e>=97&&e<=122||e>=48&&
e<=57||e===92||e>=128&&lQ.test(String.fromCharCode(e))}var fQ={if:1,in:1,do:1,var:1,for:1,new:1,try:1,let:1,this:1,else:1,case:1,void:1,with:1,enum:1,while:1,break:1,
catch:1,throw:1,const:1,yield:1,class:1,super:1,return:1,typeof:1,delete:1,switch:1,export:1,import:1,public:1,static:1,default:1,finally:1,extends:1,package:1,
private:1,function:1,continue:1,debugger:1,interface:1,protected:1,instanceof:1,implements:1};function pM(){for(;N<hn;){let e=ee.charCodeAt(N);if(cQ(e)||sd(e))++N;else
break}}function Xw(e){var t,n,r,i=0;for(n=e==="u"?4:2,t=0;t<n;++t)N<hn&&Qw(ee[N])?(r=ee[N++],i=i*16+"0123456789abcdef".indexOf(r.toLowerCase())):Me({},Lt,Qt);return String.
fromCharCode(i)}function dQ(){var e,t,n,r;for(e=ee[N],t=0,e==="}"&&Me({},Lt,Qt);N<hn&&(e=ee[N++],!!Qw(e));)t=t*16+"0123456789abcdef".indexOf(e.toLowerCase());return(t>
1114111||e!=="}")&&Me({},Lt,Qt),t<=65535?String.fromCharCode(t):(n=(t-65536>>10)+55296,r=(t-65536&1023)+56320,String.fromCharCode(n,r))}function gM(){var e,t;for(e=
ee.charCodeAt(N++),t=String.fromCharCode(e),e===92&&(ee.charCodeAt(N)!==117&&Me({},Lt,Qt),++N,e=Xw("u"),(!e||e==="\\"||!cd(e.charCodeAt(0)))&&Me({},Lt,Qt),t=e);N<
hn&&(e=ee.charCodeAt(N),!!jg(e));)++N,t+=String.fromCharCode(e),e===92&&(t=t.substr(0,t.length-1),ee.charCodeAt(N)!==117&&Me({},Lt,Qt),++N,e=Xw("u"),(!e||e==="\\"||
!jg(e.charCodeAt(0)))&&Me({},Lt,Qt),t+=e);return t}function hQ(){var e,t;for(e=N++;N<hn;){if(t=ee.charCodeAt(N),t===92)return N=e,gM();if(jg(t))++N;else break}return ee.
slice(e,N)}function pQ(){var e,t,n;return e=N,t=ee.charCodeAt(N)===92?gM():hQ(),t.length===1?n=Us:fQ.hasOwnProperty(t)?n=Ro:t==="null"?n=Gg:t==="true"||t==="fal\
se"?n=Wg:n=Us,{type:n,value:t,start:e,end:N}}function Hw(){var e=N,t=ee.charCodeAt(N),n,r=ee[N],i,a,o;switch(t){case 46:case 40:case 41:case 59:case 44:case 123:case 125:case 91:case 93:case 58:case 63:case 126:
return++N,{type:Wn,value:String.fromCharCode(t),start:e,end:N};default:if(n=ee.charCodeAt(N+1),n===61)switch(t){case 43:case 45:case 47:case 60:case 62:case 94:case 124:case 37:case 38:case 42:
return N+=2,{type:Wn,value:String.fromCharCode(t)+String.fromCharCode(n),start:e,end:N};case 33:case 61:return N+=2,ee.charCodeAt(N)===61&&++N,{type:Wn,value:ee.
slice(e,N),start:e,end:N}}}if(o=ee.substr(N,4),o===">>>=")return N+=4,{type:Wn,value:o,start:e,end:N};if(a=o.substr(0,3),a===">>>"||a==="<<="||a===">>=")return N+=
3,{type:Wn,value:a,start:e,end:N};if(i=a.substr(0,2),r===i[1]&&"+-<>&|".includes(r)||i==="=>")return N+=2,{type:Wn,value:i,start:e,end:N};if(i==="//"&&Me({},Lt,
Qt),"<>=!+-*%&|^/".includes(r))return++N,{type:Wn,value:r,start:e,end:N};Me({},Lt,Qt)}function gQ(e){let t="";for(;N<hn&&Qw(ee[N]);)t+=ee[N++];return t.length===
0&&Me({},Lt,Qt),cd(ee.charCodeAt(N))&&Me({},Lt,Qt),{type:js,value:parseInt("0x"+t,16),start:e,end:N}}function mQ(e){let t="0"+ee[N++];for(;N<hn&&ad(ee[N]);)t+=ee[N++];
return(cd(ee.charCodeAt(N))||Ca(ee.charCodeAt(N)))&&Me({},Lt,Qt),{type:js,value:parseInt(t,8),octal:!0,start:e,end:N}}function aM(){var e,t,n;if(n=ee[N],Hg(Ca(n.
charCodeAt(0))||n===".","Numeric literal must start with a decimal digit or a decimal point"),t=N,e="",n!=="."){if(e=ee[N++],n=ee[N],e==="0"){if(n==="x"||n==="X")
return++N,gQ(t);if(ad(n))return mQ(t);n&&Ca(n.charCodeAt(0))&&Me({},Lt,Qt)}for(;Ca(ee.charCodeAt(N));)e+=ee[N++];n=ee[N]}if(n==="."){for(e+=ee[N++];Ca(ee.charCodeAt(
N));)e+=ee[N++];n=ee[N]}if(n==="e"||n==="E")if(e+=ee[N++],n=ee[N],(n==="+"||n==="-")&&(e+=ee[N++]),Ca(ee.charCodeAt(N)))for(;Ca(ee.charCodeAt(N));)e+=ee[N++];else
Me({},Lt,Qt);return cd(ee.charCodeAt(N))&&Me({},Lt,Qt),{type:js,value:parseFloat(e),start:t,end:N}}function yQ(){var e="",t,n,r,i,a=!1;for(t=ee[N],Hg(t==="'"||t===
'"',"String literal must starts with a quote"),n=N,++N;N<hn;)if(r=ee[N++],r===t){t="";break}else if(r==="\\")if(r=ee[N++],!r||!sd(r.charCodeAt(0)))switch(r){case"\
u":case"x":ee[N]==="{"?(++N,e+=dQ()):e+=Xw(r);break;case"n":e+=`
`;break;case"r":e+="\r";break;case"t":e+="	";break;case"b":e+="\b";break;case"f":e+="\f";break;case"v":e+="\v";break;default:ad(r)?(i="01234567".indexOf(r),i!==
0&&(a=!0),N<hn&&ad(ee[N])&&(a=!0,i=i*8+"01234567".indexOf(ee[N++]),"0123".includes(r)&&N<hn&&ad(ee[N])&&(i=i*8+"01234567".indexOf(ee[N++]))),e+=String.fromCharCode(
i)):e+=r;break}else r==="\r"&&ee[N]===`
`&&++N;else{if(sd(r.charCodeAt(0)))break;e+=r}return t!==""&&Me({},Lt,Qt),{type:ld,value:e,octal:a,start:n,end:N}}function bQ(e,t){let n=e;t.includes("u")&&(n=n.
replace(/\\u\{([0-9a-fA-F]+)\}/g,(r,i)=>{if(parseInt(i,16)<=1114111)return"x";Me({},Vw)}).replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g,"x"));try{new RegExp(n)}catch{
Me({},Vw)}try{return new RegExp(e,t)}catch{return null}}function xQ(){var e,t,n,r,i;for(e=ee[N],Hg(e==="/","Regular expression literal must start with a slash"),
t=ee[N++],n=!1,r=!1;N<hn;)if(e=ee[N++],t+=e,e==="\\")e=ee[N++],sd(e.charCodeAt(0))&&Me({},Gw),t+=e;else if(sd(e.charCodeAt(0)))Me({},Gw);else if(n)e==="]"&&(n=!1);else if(e===
"/"){r=!0;break}else e==="["&&(n=!0);return r||Me({},Gw),i=t.substr(1,t.length-2),{value:i,literal:t}}function vQ(){var e,t,n;for(t="",n="";N<hn&&(e=ee[N],!!jg(
e.charCodeAt(0)));)++N,e==="\\"&&N<hn?Me({},Lt,Qt):(n+=e,t+=e);return n.search(/[^gimuy]/g)>=0&&Me({},Vw,n),{value:n,literal:t}}function wQ(){var e,t,n,r;return Be=
null,pM(),e=N,t=xQ(),n=vQ(),r=bQ(t.value,n.value),{literal:t.literal+n.literal,value:r,regex:{pattern:t.value,flags:n.value},start:e,end:N}}function AQ(e){return e.
type===Us||e.type===Ro||e.type===Wg||e.type===Gg}function mM(){if(pM(),N>=hn)return{type:ud,start:N,end:N};let e=ee.charCodeAt(N);return cd(e)?pQ():e===40||e===
41||e===59?Hw():e===39||e===34?yQ():e===46?Ca(ee.charCodeAt(N+1))?aM():Hw():Ca(e)?aM():Hw()}function Gn(){let e=Be;return N=e.end,Be=mM(),N=e.end,e}function yM(){
let e=N;Be=mM(),N=e}function EQ(e){let t=new Yr(HK);return t.elements=e,t}function oM(e,t,n){let r=new Yr(e==="||"||e==="&&"?QK:YK);return r.operator=e,r.left=t,
r.right=n,r}function SQ(e,t){let n=new Yr(VK);return n.callee=e,n.arguments=t,n}function CQ(e,t,n){let r=new Yr(XK);return r.test=e,r.consequent=t,r.alternate=n,
r}function Zw(e){let t=new Yr(dM);return t.name=e,t}function id(e){let t=new Yr(KK);return t.value=e.value,t.raw=ee.slice(e.start,e.end),e.regex&&(t.raw==="//"&&
(t.raw="/(?:)/"),t.regex=e.regex),t}function sM(e,t,n){let r=new Yr(ZK);return r.computed=e==="[",r.object=t,r.property=n,r.computed||(n.member=!0),r}function _Q(e){
let t=new Yr(JK);return t.properties=e,t}function uM(e,t,n){let r=new Yr(eQ);return r.key=t,r.value=n,r.kind=e,r}function kQ(e,t){let n=new Yr(tQ);return n.operator=
e,n.argument=t,n.prefix=!0,n}function Me(e,t){var n,r=Array.prototype.slice.call(arguments,2),i=t.replace(/%(\d)/g,(a,o)=>(Hg(o<r.length,"Message reference must\
 be in range"),r[o]));throw n=new Error(i),n.index=N,n.description=i,n}function Yg(e){e.type===ud&&Me(e,oQ),e.type===js&&Me(e,nQ),e.type===ld&&Me(e,rQ),e.type===
Us&&Me(e,iQ),e.type===Ro&&Me(e,aQ),Me(e,Lt,e.value)}function pn(e){let t=Gn();(t.type!==Wn||t.value!==e)&&Yg(t)}function He(e){return Be.type===Wn&&Be.value===e}
function Yw(e){return Be.type===Ro&&Be.value===e}function FQ(){let e=[];for(N=Be.start,pn("[");!He("]");)He(",")?(Gn(),e.push(null)):(e.push(qs()),He("]")||pn("\
,"));return Gn(),EQ(e)}function lM(){N=Be.start;let e=Gn();return e.type===ld||e.type===js?(e.octal&&Me(e,hM),id(e)):Zw(e.value)}function MQ(){var e,t,n,r;if(N=
Be.start,e=Be,e.type===Us)return n=lM(),pn(":"),r=qs(),uM("init",n,r);if(e.type===ud||e.type===Wn)Yg(e);else return t=lM(),pn(":"),r=qs(),uM("init",t,r)}function DQ(){
var e=[],t,n,r,i={},a=String;for(N=Be.start,pn("{");!He("}");)t=MQ(),t.key.type===dM?n=t.key.name:n=a(t.key.value),r="$"+n,Object.prototype.hasOwnProperty.call(
i,r)?Me({},sQ):i[r]=!0,e.push(t),He("}")||pn(",");return pn("}"),_Q(e)}function $Q(){pn("(");let e=Jw();return pn(")"),e}var TQ={if:1};function RQ(){var e,t,n;if(He(
"("))return $Q();if(He("["))return FQ();if(He("{"))return DQ();if(e=Be.type,N=Be.start,e===Us||TQ[Be.value])n=Zw(Gn().value);else if(e===ld||e===js)Be.octal&&Me(
Be,hM),n=id(Gn());else{if(e===Ro)throw new Error(od);e===Wg?(t=Gn(),t.value=t.value==="true",n=id(t)):e===Gg?(t=Gn(),t.value=null,n=id(t)):He("/")||He("/=")?(n=
id(wQ()),yM()):Yg(Gn())}return n}function OQ(){let e=[];if(pn("("),!He(")"))for(;N<hn&&(e.push(qs()),!He(")"));)pn(",");return pn(")"),e}function NQ(){N=Be.start;
let e=Gn();return AQ(e)||Yg(e),Zw(e.value)}function BQ(){return pn("."),NQ()}function PQ(){pn("[");let e=Jw();return pn("]"),e}function IQ(){var e,t,n;for(e=RQ();;)
if(He("."))n=BQ(),e=sM(".",e,n);else if(He("("))t=OQ(),e=SQ(e,t);else if(He("["))n=PQ(),e=sM("[",e,n);else break;return e}function cM(){let e=IQ();if(Be.type===
Wn&&(He("++")||He("--")))throw new Error(od);return e}function qg(){var e,t;if(Be.type!==Wn&&Be.type!==Ro)t=cM();else{if(He("++")||He("--"))throw new Error(od);
if(He("+")||He("-")||He("~")||He("!"))e=Gn(),t=qg(),t=kQ(e.value,t);else{if(Yw("delete")||Yw("void")||Yw("typeof"))throw new Error(od);t=cM()}}return t}function fM(e){
let t=0;if(e.type!==Wn&&e.type!==Ro)return 0;switch(e.value){case"||":t=1;break;case"&&":t=2;break;case"|":t=3;break;case"^":t=4;break;case"&":t=5;break;case"==":case"\
!=":case"===":case"!==":t=6;break;case"<":case">":case"<=":case">=":case"instanceof":case"in":t=7;break;case"<<":case">>":case">>>":t=8;break;case"+":case"-":t=
9;break;case"*":case"/":case"%":t=11;break}return t}function zQ(){var e,t,n,r,i,a,o,s,u,l;if(e=Be,u=qg(),r=Be,i=fM(r),i===0)return u;for(r.prec=i,Gn(),t=[e,Be],
o=qg(),a=[u,r,o];(i=fM(Be))>0;){for(;a.length>2&&i<=a[a.length-2].prec;)o=a.pop(),s=a.pop().value,u=a.pop(),t.pop(),n=oM(s,u,o),a.push(n);r=Gn(),r.prec=i,a.push(
r),t.push(Be),n=qg(),a.push(n)}for(l=a.length-1,n=a[l],t.pop();l>1;)t.pop(),n=oM(a[l-1].value,a[l-2],n),l-=2;return n}function qs(){var e,t,n;return e=zQ(),He("\
?")&&(Gn(),t=qs(),pn(":"),n=qs(),e=CQ(e,t,n)),e}function Jw(){let e=qs();if(He(","))throw new Error(od);return e}function eA(e){ee=e,N=0,hn=ee.length,Be=null,yM();
let t=Jw();if(Be.type!==ud)throw new Error("Unexpect token after expression.");return t}var tA={NaN:"NaN",E:"Math.E",LN2:"Math.LN2",LN10:"Math.LN10",LOG2E:"Math\
.LOG2E",LOG10E:"Math.LOG10E",PI:"Math.PI",SQRT1_2:"Math.SQRT1_2",SQRT2:"Math.SQRT2",MIN_VALUE:"Number.MIN_VALUE",MAX_VALUE:"Number.MAX_VALUE"};function nA(e){function t(o,s,u,l){
let c=e(s[0]);return u&&(c=u+"("+c+")",u.lastIndexOf("new ",0)===0&&(c="("+c+")")),c+"."+o+(l<0?"":l===0?"()":"("+s.slice(1).map(e).join(",")+")")}function n(o,s,u){
return l=>t(o,l,s,u)}let r="new Date",i="String",a="RegExp";return{isNaN:"Number.isNaN",isFinite:"Number.isFinite",abs:"Math.abs",acos:"Math.acos",asin:"Math.as\
in",atan:"Math.atan",atan2:"Math.atan2",ceil:"Math.ceil",cos:"Math.cos",exp:"Math.exp",floor:"Math.floor",hypot:"Math.hypot",log:"Math.log",max:"Math.max",min:"\
Math.min",pow:"Math.pow",random:"Math.random",round:"Math.round",sin:"Math.sin",sqrt:"Math.sqrt",tan:"Math.tan",clamp:function(o){o.length<3&&D("Missing argumen\
ts to clamp function."),o.length>3&&D("Too many arguments to clamp function.");let s=o.map(e);return"Math.max("+s[1]+", Math.min("+s[2]+","+s[0]+"))"},now:"Date\
.now",utc:"Date.UTC",datetime:r,date:n("getDate",r,0),day:n("getDay",r,0),year:n("getFullYear",r,0),month:n("getMonth",r,0),hours:n("getHours",r,0),minutes:n("g\
etMinutes",r,0),seconds:n("getSeconds",r,0),milliseconds:n("getMilliseconds",r,0),time:n("getTime",r,0),timezoneoffset:n("getTimezoneOffset",r,0),utcdate:n("get\
UTCDate",r,0),utcday:n("getUTCDay",r,0),utcyear:n("getUTCFullYear",r,0),utcmonth:n("getUTCMonth",r,0),utchours:n("getUTCHours",r,0),utcminutes:n("getUTCMinutes",
r,0),utcseconds:n("getUTCSeconds",r,0),utcmilliseconds:n("getUTCMilliseconds",r,0),length:n("length",null,-1),parseFloat:"parseFloat",parseInt:"parseInt",upper:n(
"toUpperCase",i,0),lower:n("toLowerCase",i,0),substring:n("substring",i),split:n("split",i),trim:n("trim",i,0),btoa:"btoa",atob:"atob",encodeURIComponent:"encod\
eURIComponent",regexp:a,test:n("test",a),if:function(o){o.length<3&&D("Missing arguments to if function."),o.length>3&&D("Too many arguments to if function.");let s=o.
map(e);return"("+s[0]+"?"+s[1]+":"+s[2]+")"}}}function LQ(e){let t=e&&e.length-1;return t&&(e[0]==='"'&&e[t]==='"'||e[0]==="'"&&e[t]==="'")?e.slice(1,-1):e}function rA(e){
e=e||{};let t=e.allowed?mt(e.allowed):{},n=e.forbidden?mt(e.forbidden):{},r=e.constants||tA,i=(e.functions||nA)(f),a=e.globalvar,o=e.fieldvar,s=ae(a)?a:p=>`${a}\
["${p}"]`,u={},l={},c=0;function f(p){if(X(p))return p;let g=d[p.type];return g==null&&D("Unsupported type: "+p.type),g(p)}let d={Literal:p=>p.raw,Identifier:p=>{
let g=p.name;return c>0?g:Y(n,g)?D("Illegal identifier: "+g):Y(r,g)?r[g]:Y(t,g)?g:(u[g]=1,s(g))},MemberExpression:p=>{let g=!p.computed,m=f(p.object);g&&(c+=1);
let y=f(p.property);return m===o&&(l[LQ(y)]=1),g&&(c-=1),m+(g?"."+y:"["+y+"]")},CallExpression:p=>{p.callee.type!=="Identifier"&&D("Illegal callee type: "+p.callee.
type);let g=p.callee.name,m=p.arguments,y=Y(i,g)&&i[g];return y||D("Unrecognized function: "+g),ae(y)?y(m):y+"("+m.map(f).join(",")+")"},ArrayExpression:p=>"["+
p.elements.map(f).join(",")+"]",BinaryExpression:p=>"("+f(p.left)+" "+p.operator+" "+f(p.right)+")",UnaryExpression:p=>"("+p.operator+f(p.argument)+")",ConditionalExpression:p=>"\
("+f(p.test)+"?"+f(p.consequent)+":"+f(p.alternate)+")",LogicalExpression:p=>"("+f(p.left)+p.operator+f(p.right)+")",ObjectExpression:p=>{for(let g of p.properties){
let m=g.key.type==="Literal"?String(g.key.value):g.key.name;Au.has(m)&&D("Illegal property: "+m)}return"{"+p.properties.map(f).join(",")+"}"},Property:p=>{c+=1;
let g=f(p.key);return c-=1,g+":"+f(p.value)}};function h(p){let g={code:f(p),globals:Object.keys(u),fields:Object.keys(l)};return u={},l={},g}return h.functions=
i,h.constants=r,h}function fd(e,t){return e==null||t==null?NaN:e<t?-1:e>t?1:e>=t?0:NaN}function iA(e,t){return e==null||t==null?NaN:t<e?-1:t>e?1:t>=e?0:NaN}function Vg(e){let t,n,r;e.length!==2?(t=fd,n=(s,u)=>fd(e(s),u),r=(s,u)=>e(s)-u):(t=e===fd||e===iA?e:UQ,n=e,r=e);function i(s,u,l=0,c=s.length){if(l<c){if(t(u,u)!==
0)return c;do{let f=l+c>>>1;n(s[f],u)<0?l=f+1:c=f}while(l<c)}return l}function a(s,u,l=0,c=s.length){if(l<c){if(t(u,u)!==0)return c;do{let f=l+c>>>1;n(s[f],u)<=
0?l=f+1:c=f}while(l<c)}return l}function o(s,u,l=0,c=s.length){let f=i(s,u,l,c-1);return f>l&&r(s[f-1],u)>-r(s[f],u)?f-1:f}return{left:i,center:o,right:a}}function UQ(){
return 0}var Oo=class extends Set{constructor(t,n=GQ){if(super(),Object.defineProperties(this,{_intern:{value:new Map},_key:{value:n}}),t!=null)for(let r of t)this.add(r)}has(t){
return super.has(qQ(this,t))}add(t){return super.add(jQ(this,t))}delete(t){return super.delete(WQ(this,t))}};function qQ({_intern:e,_key:t},n){let r=t(n);return e.
has(r)?e.get(r):n}function jQ({_intern:e,_key:t},n){let r=t(n);return e.has(r)?e.get(r):(e.set(r,n),n)}function WQ({_intern:e,_key:t},n){let r=t(n);return e.has(
r)&&(n=e.get(r),e.delete(r)),n}function GQ(e){return e!==null&&typeof e=="object"?e.valueOf():e}function Xg(e,...t){e=new Oo(e),t=t.map(HQ);e:for(let n of e)for(let r of t)if(!r.has(n)){e.delete(n);continue e}return e}function HQ(e){return e instanceof Oo?
e:new Oo(e)}function Kg(...e){let t=new Oo;for(let n of e)for(let r of n)t.add(r);return t}var bM=Symbol("vega_selection_getter");function AM(e){return(!e.getter||!e.getter[bM])&&(e.getter=gt(e.field),e.getter[bM]=!0),e.getter}var oA="intersect",xM="u\
nion",YQ="vlMulti",VQ="vlPoint",vM="or",XQ="and",Oi="_vgsid_",dd=gt(Oi),KQ="E",QQ="R",ZQ="R-E",JQ="R-LE",eZ="R-RE",tZ="E-LT",nZ="E-LTE",rZ="E-GT",iZ="E-GTE",aZ="\
E-VALID",oZ="E-ONE",Qg="index:unit";function wM(e,t){for(var n=t.fields,r=t.values,i=n.length,a=0,o,s;a<i;++a)if(s=n[a],o=AM(s)(e),Jn(o)&&(o=at(o)),Jn(r[a])&&(r[a]=
at(r[a])),R(r[a])&&Jn(r[a][0])&&(r[a]=r[a].map(at)),s.type===KQ){if(R(r[a])?!r[a].includes(o):o!==r[a])return!1}else if(s.type===QQ){if(!ea(o,r[a]))return!1}else if(s.
type===eZ){if(!ea(o,r[a],!0,!1))return!1}else if(s.type===ZQ){if(!ea(o,r[a],!1,!1))return!1}else if(s.type===JQ){if(!ea(o,r[a],!1,!0))return!1}else if(s.type===
tZ){if(o>=r[a])return!1}else if(s.type===nZ){if(o>r[a])return!1}else if(s.type===rZ){if(o<=r[a])return!1}else if(s.type===iZ){if(o<r[a])return!1}else if(s.type===
aZ){if(o===null||isNaN(o))return!1}else if(s.type===oZ&&r[a].indexOf(o)===-1)return!1;return!0}function EM(e,t,n){for(var r=this.context.data[e],i=r?r.values.value:
[],a=r?r[Qg]&&r[Qg].value:void 0,o=n===oA,s=i.length,u=0,l,c,f,d,h;u<s;++u)if(l=i[u],a&&o){if(c=c||{},f=c[d=l.unit]||0,f===-1)continue;if(h=wM(t,l),c[d]=h?-1:++f,
h&&a.size===1)return!0;if(!h&&f===a.get(d).count)return!1}else if(h=wM(t,l),o^h)return h;return s&&o}var SM=Vg(dd),sZ=SM.left,uZ=SM.right;function CM(e,t,n){let r=this.
context.data[e],i=r?r.values.value:[],a=r?r[Qg]&&r[Qg].value:void 0,o=n===oA,s=dd(t),u=sZ(i,s);if(u===i.length||dd(i[u])!==s)return!1;if(a&&o){if(a.size===1)return!0;
if(uZ(i,s)-u<a.size)return!1}return!0}function _M(e,t){return R(e)||D("First argument to selectionTuples must be an array."),V(t)||D("Second argument to selecti\
onTuples must be an object."),e.map(n=>oe(t.fields?{values:t.fields.map(r=>AM(r)(n.datum))}:{[Oi]:dd(n.datum)},t))}function kM(e,t,n,r){for(var i=this.context.data[e],
a=i?i.values.value:[],o={},s={},u={},l,c,f,d,h,p,g,m,y,b,x=a.length,v=0,w,E;v<x;++v)if(l=a[v],d=l.unit,c=l.fields,f=l.values,c&&f){for(w=0,E=c.length;w<E;++w)h=
c[w],g=o[h.field]||(o[h.field]={}),m=g[d]||(g[d]=[]),u[h.field]=y=h.type.charAt(0),b=aA[`${y}_union`],g[d]=b(m,H(f[w]));n&&(m=s[d]||(s[d]=[]),m.push(H(f).reduce(
(A,S,C)=>(A[c[C].field]=S,A),{})))}else h=Oi,p=dd(l),g=o[h]||(o[h]={}),m=g[d]||(g[d]=[]),m.push(p),n&&(m=s[d]||(s[d]=[]),m.push({[Oi]:p}));if(t=t||xM,o[Oi]?o[Oi]=
aA[`${Oi}_${t}`](...Object.values(o[Oi])):Object.keys(o).forEach(A=>{o[A]=Object.keys(o[A]).map(S=>o[A][S]).reduce((S,C)=>S===void 0?C:aA[`${u[A]}_${t}`](S,C))}),
a=Object.keys(s),n&&a.length){let A=r?VQ:YQ;o[A]=t===xM?{[vM]:a.reduce((S,C)=>(S.push(...s[C]),S),[])}:{[XQ]:a.map(S=>({[vM]:s[S]}))}}return o}var aA={[`${Oi}_u\
nion`]:Kg,[`${Oi}_intersect`]:Xg,E_union:function(e,t){if(!e.length)return t;for(var n=0,r=t.length;n<r;++n)e.includes(t[n])||e.push(t[n]);return e},E_intersect:function(e,t){
return e.length?e.filter(n=>t.includes(n)):t},R_union:function(e,t){var n=at(t[0]),r=at(t[1]);return n>r&&(n=t[1],r=t[0]),e.length?(e[0]>n&&(e[0]=n),e[1]<r&&(e[1]=
r),e):[n,r]},R_intersect:function(e,t){var n=at(t[0]),r=at(t[1]);return n>r&&(n=t[1],r=t[0]),e.length?r<e[0]||e[1]<n?[]:(e[0]<n&&(e[0]=n),e[1]>r&&(e[1]=r),e):[n,
r]}},lZ=":",cZ="@";function Zg(e,t,n,r){t[0].type!==_a&&D("First argument to selection functions must be a string literal.");let i=t[0].value,a=t.length>=2&&fe(
t).value,o="unit",s=cZ+o,u=lZ+i;a===oA&&!Y(r,s)&&(r[s]=n.getData(i).indataRef(n,o)),Y(r,u)||(r[u]=n.getData(i).tuplesRef())}function $M(e){let t=this.context.data[e];return t?t.values.value:[]}function fZ(e,t,n){let r=this.context.data[e]["index:"+t],i=r?r.value.get(n):void 0;return i&&
i.count}function dZ(e,t){let n=this.context.dataflow,r=this.context.data[e],i=r.input;return n.pulse(i,n.changeset().remove(_t).insert(t)),1}var hZ={easeLinear:I9,
easeQuad:Og,easeQuadIn:z9,easeQuadOut:L9,easeQuadInOut:Og,easeCubic:Ng,easeCubicIn:U9,easeCubicOut:q9,easeCubicInOut:Ng,easePoly:Bg,easePolyIn:j9,easePolyOut:W9,
easePolyInOut:Bg,easeSin:Pg,easeSinIn:Y9,easeSinOut:V9,easeSinInOut:Pg,easeExp:Ig,easeExpIn:X9,easeExpOut:K9,easeExpInOut:Ig,easeCircle:zg,easeCircleIn:Q9,easeCircleOut:Z9,
easeCircleInOut:zg,easeBounce:Ls,easeBounceIn:J9,easeBounceOut:Ls,easeBounceInOut:eM,easeBack:Lg,easeBackIn:tM,easeBackOut:nM,easeBackInOut:Lg,easeElastic:Ug,easeElasticIn:rM,
easeElasticOut:Ug,easeElasticInOut:iM};function pZ(e,t,n){if(e){let r=this.context.dataflow,i=e.mark.source;r.pulse(i,r.changeset().encode(e,t))}return n!==void 0?
n:e}function gZ(e,t){if(!R(e)||!e.length)return;let n=e.length,r=e[0],i=+t;if(n===1||!(i>0))return r;if(i>=1)return fe(e);let a=i*(n-1),o=Math.floor(a),s=a-o;return s?
e[o]+s*(e[o+1]-e[o]):e[o]}var hd=e=>function(t,n){let r=this.context.dataflow.locale();return t===null?"null":r[e](n)(t)},mZ=hd("format"),TM=hd("timeFormat"),yZ=hd(
"utcFormat"),bZ=hd("timeParse"),xZ=hd("utcParse"),Jg=new Date(2e3,0,1);function em(e,t,n){return!Number.isInteger(e)||!Number.isInteger(t)?"":(Jg.setYear(2e3),Jg.
setMonth(e),Jg.setDate(t),TM.call(this,Jg,n))}function vZ(e){return em.call(this,e,1,"%B")}function wZ(e){return em.call(this,e,1,"%b")}function AZ(e){return em.
call(this,0,2+e,"%A")}function EZ(e){return em.call(this,0,2+e,"%a")}var SZ=":",CZ="@",uA="%",RM="$";function fA(e,t,n,r){t[0].type!==_a&&D("First argument to d\
ata functions must be a string literal.");let i=t[0].value,a=SZ+i;if(!Y(a,r))try{r[a]=n.getData(i).tuplesRef()}catch{}}function _Z(e,t,n,r){t[0].type!==_a&&D("F\
irst argument to indata must be a string literal."),t[1].type!==_a&&D("Second argument to indata must be a string literal.");let i=t[0].value,a=t[1].value,o=CZ+
a;Y(o,r)||(r[o]=n.getData(i).indataRef(n,a))}function gn(e,t,n,r){if(t[0].type===_a)FM(n,r,t[0].value);else for(e in n.scales)FM(n,r,e)}function FM(e,t,n){let r=uA+
n;if(!Y(t,r))try{t[r]=e.scaleRef(n)}catch{}}function Vr(e,t){if(X(e)){let n=t.scales[e];return n&&Dx(n.value)?n.value:void 0}else if(ae(e))return Dx(e)?e:void 0}
function kZ(e,t,n){t.__bandwidth=i=>i&&i.bandwidth?i.bandwidth():0,n._bandwidth=gn,n._range=gn,n._scale=gn;let r=i=>"_["+(i.type===_a?I(uA+i.value):I(uA)+"+"+e(
i))+"]";return{_bandwidth:i=>`this.__bandwidth(${r(i[0])})`,_range:i=>`${r(i[0])}.range()`,_scale:i=>`${r(i[0])}(${e(i[1])})`}}function dA(e,t){return function(n,r,i){
if(n){let a=Vr(n,(i||this).context);return a&&a.path[e](r)}else return t(r)}}var FZ=dA("area",C7),MZ=dA("bounds",D7),DZ=dA("centroid",O7);function $Z(e,t){let n=Vr(
e,(t||this).context);return n&&n.scale()}function TZ(e,t){let n=Vr(e,(t||this).context);return n&&n.translate()}function RZ(e){let t=this.context.group,n=!1;if(t)
for(;e;){if(e===t){n=!0;break}e=e.mark.group}return n}function hA(e,t,n){try{e[t].apply(e,["EXPRESSION"].concat([].slice.call(n)))}catch(r){e.warn(r)}return n[n.
length-1]}function OZ(){return hA(this.context.dataflow,"warn",arguments)}function NZ(){return hA(this.context.dataflow,"info",arguments)}function BZ(){return hA(
this.context.dataflow,"debug",arguments)}function sA(e){let t=e/255;return t<=.03928?t/12.92:Math.pow((t+.055)/1.055,2.4)}function lA(e){let t=or(e),n=sA(t.r),r=sA(
t.g),i=sA(t.b);return .2126*n+.7152*r+.0722*i}function PZ(e,t){let n=lA(e),r=lA(t),i=Math.max(n,r),a=Math.min(n,r);return(i+.05)/(a+.05)}function IZ(){let e=[].
slice.call(arguments);return e.unshift({}),oe(...e)}function OM(e,t){return e===t||e!==e&&t!==t?!0:R(e)?R(t)&&e.length===t.length?zZ(e,t):!1:V(e)&&V(t)?NM(e,t):
!1}function zZ(e,t){for(let n=0,r=e.length;n<r;++n)if(!OM(e[n],t[n]))return!1;return!0}function NM(e,t){for(let n in e)if(!OM(e[n],t[n]))return!1;return!0}function MM(e){
return t=>NM(e,t)}function LZ(e,t,n,r,i,a){let o=this.context.dataflow,s=this.context.data[e],u=s.input,l=o.stamp(),c=s.changes,f,d;if(o._trigger===!1||!(u.value.
length||t||r))return 0;if((!c||c.stamp<l)&&(s.changes=c=o.changeset(),c.stamp=l,o.runAfter(()=>{s.modified=!0,o.pulse(u,c).run()},!0,1)),n&&(f=n===!0?_t:R(n)||Gu(
n)?n:MM(n),c.remove(f)),t&&c.insert(t),r&&(f=MM(r),u.value.some(f)?c.remove(f):c.insert(r)),i){if(ae(i))throw Error("modify parameter must be a data tuple, not \
a function");for(d in a)c.modify(i,d,a[d])}return 1}function UZ(e){let t=e.touches,n=t[0].clientX-t[1].clientX,r=t[0].clientY-t[1].clientY;return Math.hypot(n,r)}
function qZ(e){let t=e.touches;return Math.atan2(t[0].clientY-t[1].clientY,t[0].clientX-t[1].clientX)}var DM={};function jZ(e,t){let n=DM[t]||(DM[t]=gt(t));return R(
e)?e.map(n):n(e)}function tm(e){return R(e)||ArrayBuffer.isView(e)?e:null}function pA(e){return tm(e)||(X(e)?e:null)}function WZ(e,...t){return tm(e).join(...t)}
function GZ(e,...t){return pA(e).indexOf(...t)}function HZ(e,...t){return pA(e).lastIndexOf(...t)}function YZ(e,...t){return pA(e).slice(...t)}function VZ(e,t,n){
return ae(n)&&D("Function argument passed to replace."),!X(t)&&!hc(t)&&D("Please pass a string or RegExp argument to replace."),String(e).replace(t,n)}function XZ(e){
return tm(e).slice().reverse()}function KZ(e){return tm(e).slice().sort(Zi)}function QZ(e,t,n){return Jc(e||0,t||0,n||0)}function ZZ(e,t){let n=Vr(e,(t||this).context);
return n&&n.bandwidth?n.bandwidth():0}function JZ(e,t){let n=Vr(e,(t||this).context);return n?n.copy():void 0}function eJ(e,t){let n=Vr(e,(t||this).context);return n?
n.domain():[]}function tJ(e,t,n){let r=Vr(e,(n||this).context);return r?R(t)?(r.invertRange||r.invert)(t):(r.invert||r.invertExtent)(t):void 0}function nJ(e,t){
let n=Vr(e,(t||this).context);return n&&n.range?n.range():[]}function rJ(e,t,n){let r=Vr(e,(n||this).context);return r?r(t):void 0}function iJ(e,t,n,r,i){e=Vr(e,
(i||this).context);let a=hk(t,n),o=e.domain(),s=o[0],u=fe(o),l=Et;return u-s?l=P0(e,s,u):e=(e.interpolator?Ce("sequential")().interpolator(e.interpolator()):Ce(
"linear")().interpolate(e.interpolate()).range(e.range())).domain([s=0,u=1]),e.ticks&&(o=e.ticks(+r||15),s!==o[0]&&o.unshift(s),u!==fe(o)&&o.push(u)),o.forEach(
c=>a.stop(l(c),e(c))),a}function aJ(e,t,n){let r=Vr(e,(n||this).context);return function(i){return r?r.path.context(i)(t):""}}function oJ(e){let t=null;return function(n){
return n?yf(n,t=t||dp(e)):e}}var BM=e=>e.data;function PM(e,t){let n=$M.call(t,e);return n.root&&n.root.lookup||{}}function sJ(e,t,n){let r=PM(e,this),i=r[t],a=r[n];
return i&&a?i.path(a).map(BM):void 0}function uJ(e,t){let n=PM(e,this)[t];return n?n.ancestors().map(BM):void 0}var IM=()=>typeof window<"u"&&window||null;function lJ(){
let e=IM();return e?e.screen:{}}function cJ(){let e=IM();return e?[e.innerWidth,e.innerHeight]:[void 0,void 0]}function fJ(){let e=this.context.dataflow,t=e.container&&
e.container();return t?[t.clientWidth,t.clientHeight]:[void 0,void 0]}function zM(e,t,n){if(!e)return[];let[r,i]=e,a=new bt().set(r[0],r[1],i[0],i[1]),o=n||this.
context.dataflow.scenegraph().root;return t4(o,a,dJ(t))}function dJ(e){let t=null;if(e){let n=H(e.marktype),r=H(e.markname);t=i=>(!n.length||n.some(a=>i.marktype===
a))&&(!r.length||r.some(a=>i.name===a))}return t}function hJ(e,t,n,r=5){e=H(e);let i=e[e.length-1];return i===void 0||Math.hypot(i[0]-t,i[1]-n)>r?[...e,[t,n]]:e}
function pJ(e){return H(e).reduce((t,[n,r],i)=>t+=i==0?`M ${n},${r} `:i===e.length-1?" Z":`L ${n},${r} `,"")}function gJ(e,t,n){let{x:r,y:i,mark:a}=n,o=new bt().
set(Number.MAX_SAFE_INTEGER,Number.MAX_SAFE_INTEGER,Number.MIN_SAFE_INTEGER,Number.MIN_SAFE_INTEGER);for(let[u,l]of t)u<o.x1&&(o.x1=u),u>o.x2&&(o.x2=u),l<o.y1&&
(o.y1=l),l>o.y2&&(o.y2=l);return o.translate(r,i),zM([[o.x1,o.y1],[o.x2,o.y2]],e,a).filter(u=>mJ(u.x,u.y,t))}function mJ(e,t,n){let r=0;for(let i=0,a=n.length-1;i<
n.length;a=i++){let[o,s]=n[a],[u,l]=n[i];l>t!=s>t&&e<(o-u)*(t-l)/(s-l)+u&&r++}return r&1}var kl={random(){return yr()},cumulativeNormal:t0,cumulativeLogNormal:Zy,
cumulativeUniform:nb,densityNormal:Yy,densityLogNormal:Qy,densityUniform:tb,quantileNormal:n0,quantileLogNormal:Jy,quantileUniform:rb,sampleNormal:e0,sampleLogNormal:Ky,
sampleUniform:eb,isArray:R,isBoolean:ta,isDate:Jn,isDefined(e){return e!==void 0},isNumber:we,isObject:V,isRegExp:hc,isString:X,isTuple:Gu,isValid(e){return e!=
null&&e===e},toBoolean:Mu,toDate(e){return Du(e)},toNumber:at,toString:$u,indexof:GZ,join:WZ,lastindexof:HZ,replace:VZ,reverse:XZ,sort:KZ,slice:YZ,flush:Z1,lerp:J1,
interpolateLinear:gZ,merge:IZ,pad:Eh,peek:fe,pluck:jZ,span:ns,inrange:ea,truncate:Sh,rgb:or,lab:el,hcl:tl,hsl:Ju,luminance:lA,contrast:PZ,sequence:St,format:mZ,
utcFormat:yZ,utcParse:xZ,utcOffset:GS,utcSequence:VS,timeFormat:TM,timeParse:bZ,timeOffset:WS,timeSequence:YS,timeUnitSpecifier:SS,monthFormat:vZ,monthAbbrevFormat:wZ,
dayFormat:AZ,dayAbbrevFormat:EZ,quarter:K1,utcquarter:Q1,week:_S,utcweek:RS,isoweek:kS,utcisoweek:OS,dayofyear:CS,utcdayofyear:TS,warn:OZ,info:NZ,debug:BZ,extent(e){
return on(e)},inScope:RZ,intersect:zM,clampRange:bh,pinchDistance:UZ,pinchAngle:qZ,screen:lJ,containerSize:fJ,windowSize:cJ,bandspace:QZ,setdata:dZ,pathShape:oJ,
panLinear:H1,panLog:Y1,panPow:V1,panSymlog:X1,zoomLinear:cc,zoomLog:fc,zoomPow:Cu,zoomSymlog:dc,encode:pZ,modify:LZ,lassoAppend:hJ,lassoPath:pJ,intersectLasso:gJ,
...hZ},yJ=["view","item","group","xy","x","y"],bJ="event.vega.",LM="this.",gA={},UM={forbidden:["_"],allowed:["datum","event","item"],fieldvar:"datum",globalvar:e=>`\
_[${I(RM+e)}]`,functions:xJ,constants:tA,visitors:gA},cA=rA(UM);function xJ(e){let t=nA(e);yJ.forEach(n=>t[n]=bJ+n);for(let n in kl)t[n]=LM+n;return oe(t,kZ(e,kl,
gA)),t}function ct(e,t,n){return arguments.length===1?kl[e]:(kl[e]=t,n&&(gA[e]=n),cA&&(cA.functions[e]=LM+e),this)}ct("bandwidth",ZZ,gn);ct("copy",JZ,gn);ct("do\
main",eJ,gn);ct("range",nJ,gn);ct("invert",tJ,gn);ct("scale",rJ,gn);ct("gradient",iJ,gn);ct("geoArea",FZ,gn);ct("geoBounds",MZ,gn);ct("geoCentroid",DZ,gn);ct("g\
eoShape",aJ,gn);ct("geoScale",$Z,gn);ct("geoTranslate",TZ,gn);ct("indata",fZ,_Z);ct("data",$M,fA);ct("treePath",sJ,fA);ct("treeAncestors",uJ,fA);ct("vlSelection\
Test",EM,Zg);ct("vlSelectionIdTest",CM,Zg);ct("vlSelectionResolve",kM,Zg);ct("vlSelectionTuples",_M);function Xr(e,t){let n={},r;try{e=X(e)?e:I(e)+"",r=eA(e)}catch{
D("Expression parse error: "+e)}r.visit(a=>{if(a.type!==Kw)return;let o=a.callee.name,s=UM.visitors[o];s&&s(o,a.arguments,t,n)});let i=cA(r);return i.globals.forEach(
a=>{let o=RM+a;!Y(n,o)&&t.getSignal(a)&&(n[o]=t.signalRef(a))}),{$expr:oe({code:i.code},t.options.ast?{ast:r}:null),$fields:i.fields,$params:n}}function vJ(e){let t=this,n=e.operators||[];return e.background&&(t.background=e.background),e.eventConfig&&(t.eventConfig=e.eventConfig),e.locale&&(t.locale=e.
locale),n.forEach(r=>t.parseOperator(r)),n.forEach(r=>t.parseOperatorParameters(r)),(e.streams||[]).forEach(r=>t.parseStream(r)),(e.updates||[]).forEach(r=>t.parseUpdate(
r)),t.resolve()}var wJ=mt(["rule"]),qM=mt(["group","image","rect"]);function AJ(e,t){let n="";return wJ[t]||(e.x2&&(e.x?(qM[t]&&(n+="if(o.x>o.x2)$=o.x,o.x=o.x2,\
o.x2=$;"),n+="o.width=o.x2-o.x;"):n+="o.x=o.x2-(o.width||0);"),e.xc&&(n+="o.x=o.xc-(o.width||0)/2;"),e.y2&&(e.y?(qM[t]&&(n+="if(o.y>o.y2)$=o.y,o.y=o.y2,o.y2=$;"),
n+="o.height=o.y2-o.y;"):n+="o.y=o.y2-(o.height||0);"),e.yc&&(n+="o.y=o.yc-(o.height||0)/2;")),n}function mA(e){return(e+"").toLowerCase()}function EJ(e){return mA(
e)==="operator"}function SJ(e){return mA(e)==="collect"}function pd(e,t,n){n.endsWith(";")||(n="return("+n+");");let r=Function(...t.concat(n));return e&&e.functions?
r.bind(e.functions):r}function CJ(e,t,n,r){return`((u = ${e}) < (v = ${t}) || u == null) && v != null ? ${n}
  : (u > v || v == null) && u != null ? ${r}
  : ((v = v instanceof Date ? +v : v), (u = u instanceof Date ? +u : u)) !== u && v === v ? ${n}
  : v !== v && u === u ? ${r} : `}var _J={operator:(e,t)=>pd(e,["_"],t.code),parameter:(e,t)=>pd(e,["datum","_"],t.code),event:(e,t)=>pd(e,["event"],t.code),handler:(e,t)=>{
let n=`var datum=event.item&&event.item.datum;return ${t.code};`;return pd(e,["_","event"],n)},encode:(e,t)=>{let{marktype:n,channels:r}=t,i="var o=item,datum=o\
.datum,m=0,$;";for(let a in r){let o="o["+I(a)+"]";i+=`$=${r[a].code};if(${o}!==$)${o}=$,m=1;`}return i+=AJ(r,n),i+="return m;",pd(e,["item","_"],i)},codegen:{get(e){
let t=`[${e.map(I).join("][")}]`,n=Function("_",`return _${t};`);return n.path=t,n},comparator(e,t){let n,r=(a,o)=>{let s=t[o],u,l;return a.path?(u=`a${a.path}`,
l=`b${a.path}`):((n=n||{})["f"+o]=a,u=`this.f${o}(a)`,l=`this.f${o}(b)`),CJ(u,l,-s,s)},i=Function("a","b","var u, v; return "+e.map(r).join("")+"0;");return n?i.
bind(n):i}}};function kJ(e){let t=this;EJ(e.type)||!e.type?t.operator(e,e.update?t.operatorExpression(e.update):null):t.transform(e,e.type)}function FJ(e){let t=this;
if(e.params){let n=t.get(e.id);n||D("Invalid operator id: "+e.id),t.dataflow.connect(n,n.parameters(t.parseParameters(e.params),e.react,e.initonly))}}function MJ(e,t){
t=t||{};let n=this;for(let r in e){let i=e[r];t[r]=R(i)?i.map(a=>jM(a,n,t)):jM(i,n,t)}return t}function jM(e,t,n){if(!e||!V(e))return e;for(let r=0,i=WM.length,
a;r<i;++r)if(a=WM[r],Y(e,a.key))return a.parse(e,t,n);return e}var WM=[{key:"$ref",parse:DJ},{key:"$key",parse:TJ},{key:"$expr",parse:$J},{key:"$field",parse:RJ},
{key:"$encode",parse:NJ},{key:"$compare",parse:OJ},{key:"$context",parse:BJ},{key:"$subflow",parse:PJ},{key:"$tupleid",parse:IJ}];function DJ(e,t){return t.get(
e.$ref)||D("Operator not defined: "+e.$ref)}function $J(e,t,n){e.$params&&t.parseParameters(e.$params,n);let r="e:"+e.$expr.code;return t.fn[r]||(t.fn[r]=pt(t.parameterExpression(
e.$expr),e.$fields))}function TJ(e,t){let n="k:"+e.$key+"_"+!!e.$flat;return t.fn[n]||(t.fn[n]=Fu(e.$key,e.$flat,t.expr.codegen))}function RJ(e,t){if(!e.$field)
return null;let n="f:"+e.$field+"_"+e.$name;return t.fn[n]||(t.fn[n]=gt(e.$field,e.$name,t.expr.codegen))}function OJ(e,t){let n="c:"+e.$compare+"_"+e.$order,r=H(
e.$compare).map(i=>i&&i.$tupleid?re:i);return t.fn[n]||(t.fn[n]=_u(r,e.$order,t.expr.codegen))}function NJ(e,t){let n=e.$encode,r={};for(let i in n){let a=n[i];
r[i]=pt(t.encodeExpression(a.$expr),a.$fields),r[i].output=a.$output}return r}function BJ(e,t){return t}function PJ(e,t){let n=e.$subflow;return function(r,i,a){
let o=t.fork().parse(n),s=o.get(n.operators[0].id),u=o.signals.parent;return u&&u.set(a),s.detachSubflow=()=>t.detach(o),s}}function IJ(){return re}function zJ(e){
var t=this,n=e.filter!=null?t.eventExpression(e.filter):void 0,r=e.stream!=null?t.get(e.stream):void 0,i;e.source?r=t.events(e.source,e.type,n):e.merge&&(i=e.merge.
map(a=>t.get(a)),r=i[0].merge.apply(i[0],i.slice(1))),e.between&&(i=e.between.map(a=>t.get(a)),r=r.between(i[0],i[1])),e.filter&&(r=r.filter(n)),e.throttle!=null&&
(r=r.throttle(+e.throttle)),e.debounce!=null&&(r=r.debounce(+e.debounce)),r==null&&D("Invalid stream definition: "+JSON.stringify(e)),e.consume&&r.consume(!0),t.
stream(e,r)}function LJ(e){var t=this,n=V(n=e.source)?n.$ref:n,r=t.get(n),i=null,a=e.update,o=void 0;r||D("Source not defined: "+e.source),i=e.target&&e.target.
$expr?t.eventExpression(e.target.$expr):t.get(e.target),a&&a.$expr&&(a.$params&&(o=t.parseParameters(a.$params)),a=t.handlerExpression(a.$expr)),t.update(e,r,i,
a,o)}var UJ={skip:!0};function qJ(e){var t=this,n={};if(e.signals){var r=n.signals={};Object.keys(t.signals).forEach(a=>{let o=t.signals[a];e.signals(a,o)&&(r[a]=
o.value)})}if(e.data){var i=n.data={};Object.keys(t.data).forEach(a=>{let o=t.data[a];e.data(a,o)&&(i[a]=o.input.value)})}return t.subcontext&&e.recurse!==!1&&(n.
subcontext=t.subcontext.map(a=>a.getState(e))),n}function jJ(e){var t=this,n=t.dataflow,r=e.data,i=e.signals;Object.keys(i||{}).forEach(a=>{n.update(t.signals[a],
i[a],UJ)}),Object.keys(r||{}).forEach(a=>{n.pulse(t.data[a].input,n.changeset().remove(_t).insert(r[a]))}),(e.subcontext||[]).forEach((a,o)=>{let s=t.subcontext[o];
s&&s.setState(a)})}function yA(e,t,n,r){return new HM(e,t,n,r)}function HM(e,t,n,r){this.dataflow=e,this.transforms=t,this.events=e.events.bind(e),this.expr=r||
_J,this.signals={},this.scales={},this.nodes={},this.data={},this.fn={},n&&(this.functions=Object.create(n),this.functions.context=this)}function GM(e){this.dataflow=
e.dataflow,this.transforms=e.transforms,this.events=e.events,this.expr=e.expr,this.signals=Object.create(e.signals),this.scales=Object.create(e.scales),this.nodes=
Object.create(e.nodes),this.data=Object.create(e.data),this.fn=Object.create(e.fn),e.functions&&(this.functions=Object.create(e.functions),this.functions.context=
this)}HM.prototype=GM.prototype={fork(){let e=new GM(this);return(this.subcontext||(this.subcontext=[])).push(e),e},detach(e){this.subcontext=this.subcontext.filter(
n=>n!==e);let t=Object.keys(e.nodes);for(let n of t)e.nodes[n]._targets=null;for(let n of t)e.nodes[n].detach();e.nodes=null},get(e){return this.nodes[e]},set(e,t){
return this.nodes[e]=t},add(e,t){let n=this,r=n.dataflow,i=e.value;if(n.set(e.id,t),SJ(e.type)&&i&&(i.$ingest?r.ingest(t,i.$ingest,i.$format):i.$request?r.preload(
t,i.$request,i.$format):r.pulse(t,r.changeset().insert(i))),e.root&&(n.root=t),e.parent){let a=n.get(e.parent.$ref);a?(r.connect(a,[t]),t.targets().add(a)):(n.unresolved=
n.unresolved||[]).push(()=>{a=n.get(e.parent.$ref),r.connect(a,[t]),t.targets().add(a)})}if(e.signal&&(n.signals[e.signal]=t),e.scale&&(n.scales[e.scale]=t),e.data)
for(let a in e.data){let o=n.data[a]||(n.data[a]={});e.data[a].forEach(s=>o[s]=t)}},resolve(){return(this.unresolved||[]).forEach(e=>e()),delete this.unresolved,
this},operator(e,t){this.add(e,this.dataflow.add(e.value,t))},transform(e,t){this.add(e,this.dataflow.add(this.transforms[mA(t)]))},stream(e,t){this.set(e.id,t)},
update(e,t,n,r,i){this.dataflow.on(t,n,r,i,e.options)},operatorExpression(e){return this.expr.operator(this,e)},parameterExpression(e){return this.expr.parameter(
this,e)},eventExpression(e){return this.expr.event(this,e)},handlerExpression(e){return this.expr.handler(this,e)},encodeExpression(e){return this.expr.encode(this,
e)},parse:vJ,parseOperator:kJ,parseOperatorParameters:FJ,parseParameters:MJ,parseStream:zJ,parseUpdate:LJ,getState:qJ,setState:jJ};function WJ(e){let t=e.container();t&&(t.setAttribute("role","graphics-document"),t.setAttribute("aria-roleDescription","visualization"),nD(t,e.description()))}
function nD(e,t){e&&(t==null?e.removeAttribute("aria-label"):e.setAttribute("aria-label",t))}function GJ(e){e.add(null,t=>(e._background=t.bg,e._resize=1,t.bg),
{bg:e._signals.background})}var bA="default";function HJ(e){let t=e._signals.cursor||(e._signals.cursor=e.add({user:bA,item:null}));e.on(e.events("view","pointe\
rmove"),t,(n,r)=>{let i=t.value,a=i?X(i)?i:i.user:bA,o=r.item&&r.item.cursor||null;return i&&a===i.user&&o==i.item?i:{user:a,item:o}}),e.add(null,function(n){let r=n.
cursor,i=this.value;return X(r)||(i=r.item,r=r.user),vA(e,r&&r!==bA?r:i||r),i},{cursor:t})}function vA(e,t){let n=e.globalCursor()?typeof document<"u"&&document.
body:e.container();if(n)return t==null?n.style.removeProperty("cursor"):n.style.cursor=t}function rm(e,t){var n=e._runtime.data;return Y(n,t)||D("Unrecognized d\
ata set: "+t),n[t]}function YJ(e,t){return arguments.length<2?rm(this,e).values.value:am.call(this,e,io().remove(_t).insert(t))}function am(e,t){Ly(t)||D("Secon\
d argument to changes must be a changeset.");let n=rm(this,e);return n.modified=!0,this.pulse(n.input,t)}function VJ(e,t){return am.call(this,e,io().insert(t))}
function XJ(e,t){return am.call(this,e,io().remove(t))}function rD(e){var t=e.padding();return Math.max(0,e._viewWidth+t.left+t.right)}function iD(e){var t=e.padding();
return Math.max(0,e._viewHeight+t.top+t.bottom)}function om(e){var t=e.padding(),n=e._origin;return[t.left+n[0],t.top+n[1]]}function KJ(e){var t=om(e),n=rD(e),r=iD(
e);e._renderer.background(e.background()),e._renderer.resize(n,r,t),e._handler.origin(t),e._resizeListeners.forEach(i=>{try{i(n,r)}catch(a){e.error(a)}})}function QJ(e,t,n){
var r=e._renderer,i=r&&r.canvas(),a,o,s;return i&&(s=om(e),o=t.changedTouches?t.changedTouches[0]:t,a=Ep(o,i),a[0]-=s[0],a[1]-=s[1]),t.dataflow=e,t.item=n,t.vega=
ZJ(e,n,a),t}function ZJ(e,t,n){let r=t?t.mark.marktype==="group"?t:t.mark.group:null;function i(o){var s=r,u;if(o){for(u=t;u;u=u.mark.group)if(u.mark.name===o){
s=u;break}}return s&&s.mark&&s.mark.interactive?s:{}}function a(o){if(!o)return n;X(o)&&(o=i(o));let s=n.slice();for(;o;)s[0]-=o.x||0,s[1]-=o.y||0,o=o.mark&&o.mark.
group;return s}return{view:Ke(e),item:Ke(t||{}),group:i,xy:a,x:o=>a(o)[0],y:o=>a(o)[1]}}function aD(e){e._resizeObserver&&(e._resizeObserver.disconnect(),e._resizeObserver=
null);let t=e.container(),n=e._containerListeners;if(typeof ResizeObserver>"u"||!t||!n.length)return;let r=t.clientWidth,i=t.clientHeight;e._resizeObserver=new ResizeObserver(
()=>{!t.clientWidth&&!t.clientHeight||t.clientWidth===r&&t.clientHeight===i||(r=t.clientWidth,i=t.clientHeight,n.forEach(a=>a({type:"resize",target:t})))}),e._resizeObserver.
observe(t)}var YM="view",JJ="timer",eee="window",tee="container",nee="resize",ree={trap:!1};function iee(e){let t=oe({defaults:{}},e),n=(r,i)=>{i.forEach(a=>{R(
r[a])&&(r[a]=mt(r[a]))})};return n(t.defaults,["prevent","allow"]),n(t,["view","window","selector","container"]),t}function oD(e,t,n,r){e._eventListeners.push({
type:n,sources:H(t),handler:r})}function aee(e,t){var n=e._eventConfig.defaults,r=n.prevent,i=n.allow;return r===!1||i===!0?!1:r===!0||i===!1?!0:r?r[t]:i?!i[t]:
e.preventDefault()}function gd(e,t,n){let r=e._eventConfig&&e._eventConfig[t];return r===!1||V(r)&&!r[n]?(e.warn(`Blocked ${t} ${n} event listener.`),!1):!0}function oee(e,t,n){
var r=this,i=new Nc(n),a=function(l,c){r.runAsync(null,()=>{e===YM&&aee(r,t)&&l.preventDefault(),i.receive(QJ(r,l,c))})},o;if(e===JJ)gd(r,"timer",t)&&r.timer(a,
t);else if(e===YM)gd(r,"view",t)&&r.addEventListener(t,a,ree);else if(e===tee)t!==nee?r.warn("Unsupported container event type: "+t):gd(r,"container",t)&&(r._containerListeners.
push(a),r.container()&&aD(r));else if(e===eee?gd(r,"window",t)&&typeof window<"u"&&(o=[window]):typeof document<"u"&&gd(r,"selector",t)&&(o=Array.from(document.
querySelectorAll(e))),!o)r.warn("Can not resolve event source: "+e);else{for(var s=0,u=o.length;s<u;++s)o[s].addEventListener(t,a);oD(r,o,t,a)}return i}function VM(e){
return e.item}function XM(e){return e.item.mark.source}function KM(e){return function(t,n){return n.vega.view().changeset().encode(n.item,e)}}function see(e,t){
return e=[e||"hover"],t=[t||"update",e[0]],this.on(this.events("view","pointerover",VM),XM,KM(e)),this.on(this.events("view","pointerout",VM),XM,KM(t)),this}function uee(){
var e=this._tooltip,t=this._timers,n=this._handler.handlers(),r=this._eventListeners,i,a,o,s,u;for(i=t.length;--i>=0;)t[i].stop();for(this._resizeObserver&&(this.
_resizeObserver.disconnect(),this._resizeObserver=null),i=r.length;--i>=0;)for(o=r[i],a=o.sources.length;--a>=0;)o.sources[a].removeEventListener(o.type,o.handler);
for(e&&e.call(this,this._handler,null,null,null),i=n.length;--i>=0;)u=n[i].type,s=n[i].handler,this._handler.off(u,s);return this}function cr(e,t,n){let r=document.
createElement(e);for(let i in t)r.setAttribute(i,t[i]);return n!=null&&(r.textContent=n),r}var lee="vega-bind",cee="vega-bind-name",fee="vega-bind-radio",dee=/^on/i;
function hee(e,t,n){if(!t)return;let r=n.param,i=n.state;return i||(i=n.state={elements:null,active:!1,set:null,update:o=>{o!=e.signal(r.signal)&&e.runAsync(null,
()=>{i.source=!0,e.signal(r.signal,o)})}},r.debounce&&(i.update=ku(r.debounce,i.update))),(r.input==null&&r.element?pee:mee)(i,t,r,e),i.active||(e.on(e._signals[r.
signal],null,()=>{i.source?i.source=!1:i.set(e.signal(r.signal))}),i.active=!0),i}function pee(e,t,n,r){let i=n.event||"input",a=()=>e.update(t.value);r.signal(
n.signal,t.value),t.addEventListener(i,a),oD(r,t,i,a),e.set=o=>{t.value=o,t.dispatchEvent(gee(i))}}function gee(e){return typeof Event<"u"?new Event(e):{type:e}}
function mee(e,t,n,r){let i=r.signal(n.signal),a=cr("div",{class:lee}),o=n.input==="radio"?a:a.appendChild(cr("label"));o.appendChild(cr("span",{class:cee},n.name||
n.signal)),t.appendChild(a);let s=QM;switch(n.input){case"checkbox":s=yee;break;case"select":s=bee;break;case"radio":s=xee;break;case"range":s=vee;break}s===QM?
s(e,o,n,i,r):s(e,o,n,i)}function QM(e,t,n,r,i){let a=cr("input");for(let o in n)dee.test(o)?i.warn(`Ignoring unsupported signal binding property "${o}" for sign\
al "${n.signal}".`):o!=="signal"&&o!=="element"&&a.setAttribute(o==="input"?"type":o,n[o]);a.setAttribute("name",n.signal),a.value=r,t.appendChild(a),a.addEventListener(
"input",()=>e.update(a.value)),e.elements=[a],e.set=o=>a.value=o}function yee(e,t,n,r){let i={type:"checkbox",name:n.signal};r&&(i.checked=!0);let a=cr("input",
i);t.appendChild(a),a.addEventListener("change",()=>e.update(a.checked)),e.elements=[a],e.set=o=>a.checked=!!o||null}function bee(e,t,n,r){let i=cr("select",{name:n.
signal}),a=n.labels||[];n.options.forEach((o,s)=>{let u={value:o};im(o,r)&&(u.selected=!0),i.appendChild(cr("option",u,(a[s]||o)+""))}),t.appendChild(i),i.addEventListener(
"change",()=>{e.update(n.options[i.selectedIndex])}),e.elements=[i],e.set=o=>{for(let s=0,u=n.options.length;s<u;++s)if(im(n.options[s],o)){i.selectedIndex=s;return}}}
function xee(e,t,n,r){let i=cr("span",{class:fee}),a=n.labels||[];t.appendChild(i),e.elements=n.options.map((o,s)=>{let u={type:"radio",name:n.signal,value:o};im(
o,r)&&(u.checked=!0);let l=cr("input",u);l.addEventListener("change",()=>e.update(o));let c=cr("label",{},(a[s]||o)+"");return c.prepend(l),i.appendChild(c),l}),
e.set=o=>{let s=e.elements,u=s.length;for(let l=0;l<u;++l)im(s[l].value,o)&&(s[l].checked=!0)}}function vee(e,t,n,r){r=r!==void 0?r:(+n.max+ +n.min)/2;let i=n.max!=
null?n.max:Math.max(100,+r)||100,a=n.min||Math.min(0,i,+r)||0,o=n.step||sn(a,i,100),s=cr("input",{type:"range",name:n.signal,min:a,max:i,step:o});s.value=r;let u=cr(
"span",{},+r);t.appendChild(s),t.appendChild(u);let l=()=>{u.textContent=s.value,e.update(+s.value)};s.addEventListener("input",l),s.addEventListener("change",l),
e.elements=[s],e.set=c=>{s.value=c,u.textContent=c}}function im(e,t){return e===t||e+""==t+""}function sD(e,t,n,r,i,a){return t=t||new r(e.loader()),t.initialize(
n,rD(e),iD(e),om(e),i,a).background(e.background())}function wA(e,t){return t?function(){try{t.apply(this,arguments)}catch(n){e.error(n)}}:null}function wee(e,t,n,r){
let i=new r(e.loader(),wA(e,e.tooltip())).scene(e.scenegraph().root).initialize(n,om(e),e);return t&&t.handlers().forEach(a=>{i.on(a.type,a.handler)}),i}function Aee(e,t){
let n=this,r=n._renderType,i=n._eventConfig.bind,a=Sp(r);e=n._el=e?xA(n,e,!0):null,WJ(n),a||n.error("Unrecognized renderer type: "+r);let o=a.handler||Ts,s=e?a.
renderer:a.headless;return n._renderer=s?sD(n,n._renderer,e,s):null,n._handler=wee(n,n._handler,e,o),n._redraw=!0,e&&i!=="none"&&(t=t?n._elBind=xA(n,t,!0):e.appendChild(
cr("form",{class:"vega-bindings"})),n._bind.forEach(u=>{u.param.element&&i!=="container"&&(u.element=xA(n,u.param.element,!!u.param.input))}),n._bind.forEach(u=>{
hee(n,u.element||t,u)})),aD(n),n}function xA(e,t,n){if(typeof t=="string")if(typeof document<"u"){if(t=document.querySelector(t),!t)return e.error("Signal bind \
element not found: "+t),null}else return e.error("DOM document instance not found."),null;if(t&&n)try{t.textContent=""}catch(r){t=null,e.error(r)}return t}var md=e=>+e||
0,Eee=e=>({top:e,bottom:e,left:e,right:e});function ZM(e){return V(e)?{top:md(e.top),bottom:md(e.bottom),left:md(e.left),right:md(e.right)}:Eee(md(e))}async function AA(e,t,n,r){
let i=Sp(t),a=i&&i.headless;return a||D("Unrecognized renderer type: "+t),await e.runAsync(),sD(e,null,null,a,n,r).renderAsync(e._scenegraph.root)}async function See(e,t){
e!==Eo.Canvas&&e!==Eo.SVG&&e!==Eo.PNG&&D("Unrecognized image type: "+e);let n=await AA(this,e,t);return e===Eo.SVG?Cee(n.svg(),"image/svg+xml"):n.canvas().toDataURL(
"image/png")}function Cee(e,t){let n=new Blob([e],{type:t});return window.URL.createObjectURL(n)}async function _ee(e,t){return(await AA(this,Eo.Canvas,e,t)).canvas()}
async function kee(e){return(await AA(this,Eo.SVG,e)).svg()}function Fee(e,t,n){return yA(e,ro,kl,n).parse(t)}function Mee(e){var t=this._runtime.scales;return Y(
t,e)||D("Unrecognized scale or projection: "+e),t[e].value}var uD="width",lD="height",EA="padding",JM={skip:!0};function cD(e,t){var n=e.autosize(),r=e.padding();
return t-(n&&n.contains===EA?r.left+r.right:0)}function fD(e,t){var n=e.autosize(),r=e.padding();return t-(n&&n.contains===EA?r.top+r.bottom:0)}function Dee(e){
var t=e._signals,n=t[uD],r=t[lD],i=t[EA];function a(){e._autosize=e._resize=1}e._resizeWidth=e.add(null,s=>{e._width=s.size,e._viewWidth=cD(e,s.size),a()},{size:n}),
e._resizeHeight=e.add(null,s=>{e._height=s.size,e._viewHeight=fD(e,s.size),a()},{size:r});let o=e.add(null,a,{pad:i});e._resizeWidth.rank=n.rank+1,e._resizeHeight.
rank=r.rank+1,o.rank=i.rank+1}function $ee(e,t,n,r,i,a){this.runAfter(o=>{let s=0;o._autosize=0,o.width()!==n&&(s=1,o.signal(uD,n,JM),o._resizeWidth.skip(!0)),o.
height()!==r&&(s=1,o.signal(lD,r,JM),o._resizeHeight.skip(!0)),o._viewWidth!==e&&(o._resize=1,o._viewWidth=e),o._viewHeight!==t&&(o._resize=1,o._viewHeight=t),(o.
_origin[0]!==i[0]||o._origin[1]!==i[1])&&(o._resize=1,o._origin=i),s&&o.run("enter"),a&&o.runAfter(u=>u.resize())},!1,1)}function Tee(e){return this._runtime.getState(
e||{data:Ree,signals:Oee,recurse:!0})}function Ree(e,t){return t.modified&&R(t.input.value)&&!e.startsWith("_:vega:_")}function Oee(e,t){return!(e==="parent"||t instanceof
ro.proxy)}function Nee(e){return this.runAsync(null,t=>{t._trigger=!1,t._runtime.setState(e)},t=>{t._trigger=!0}),this}function Bee(e,t){function n(r){e({timestamp:Date.
now(),elapsed:r})}this._timers.push(qF(n,t))}function Pee(e,t,n,r){let i=e.element();i&&i.setAttribute("title",Iee(r))}function Iee(e){return e==null?"":R(e)?dD(
e):V(e)&&!Jn(e)?zee(e):e+""}function zee(e){return Object.keys(e).map(t=>{let n=e[t];return t+": "+(R(n)?dD(n):hD(n))}).join(`
`)}function dD(e){return"["+e.map(hD).join(", ")+"]"}function hD(e){return R(e)?"[\u2026]":V(e)&&!Jn(e)?"{\u2026}":e}function Lee(){if(this.renderer()==="canvas"&&
this._renderer._canvas){let e=null,t=()=>{e?.();let n=matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);n.addEventListener("change",t),e=()=>{n.removeEventListener(
"change",t)},this._renderer._canvas.getContext("2d").pixelRatio=window.devicePixelRatio||1,this._redraw=!0,this._resize=1,this.resize().runAsync()};t()}}function sm(e,t){
let n=this;if(t=t||{},hs.call(n),t.loader&&n.loader(t.loader),t.logger&&n.logger(t.logger),t.logLevel!=null&&n.logLevel(t.logLevel),t.locale||e.locale){let a=oe(
{},e.locale,t.locale);n.locale(Oy(a.number,a.time))}n._el=null,n._elBind=null,n._renderType=t.renderer||Eo.Canvas,n._scenegraph=new ep;let r=n._scenegraph.root;
n._renderer=null,n._tooltip=t.tooltip||Pee,n._redraw=!0,n._handler=new Ts().scene(r),n._globalCursor=!1,n._preventDefault=!1,n._timers=[],n._eventListeners=[],n.
_resizeListeners=[],n._containerListeners=[],n._resizeObserver=null,n._eventConfig=iee(e.eventConfig),n.globalCursor(n._eventConfig.globalCursor);let i=Fee(n,e,
t.expr);n._runtime=i,n._signals=i.signals,n._bind=(e.bindings||[]).map(a=>({state:null,param:oe({},a)})),i.root&&i.root.set(r),r.source=i.data.root.input,n.pulse(
i.data.root.input,n.changeset().insert(r.items)),n._width=n.width(),n._height=n.height(),n._viewWidth=cD(n,n._width),n._viewHeight=fD(n,n._height),n._origin=[0,
0],n._resize=0,n._autosize=1,Dee(n),GJ(n),HJ(n),n.description(e.description),t.hover&&n.hover(),t.container&&n.initialize(t.container,t.bind),t.watchPixelRatio&&
n._watchPixelRatio()}function nm(e,t){return Y(e._signals,t)?e._signals[t]:D("Unrecognized signal name: "+I(t))}function pD(e,t){let n=(e._targets||[]).filter(r=>r.
_update&&r._update.handler===t);return n.length?n[0]:null}function eD(e,t,n,r){let i=pD(n,r);return i||(i=wA(e,()=>r(t,n.value)),i.handler=r,e.on(n,null,i)),e}function tD(e,t,n){
let r=pD(t,n);return r&&t._targets.remove(r),e}z(sm,hs,{async evaluate(e,t,n){if(await hs.prototype.evaluate.call(this,e,t),this._redraw||this._resize)try{this.
_renderer&&(this._resize&&(this._resize=0,KJ(this)),await this._renderer.renderAsync(this._scenegraph.root)),this._redraw=!1}catch(r){this.error(r)}return n&&Oc(
this,n),this},dirty(e){this._redraw=!0,this._renderer&&this._renderer.dirty(e)},description(e){if(arguments.length){let t=e!=null?e+"":null;return t!==this._desc&&
nD(this._el,this._desc=t),this}return this._desc},container(){return this._el},scenegraph(){return this._scenegraph},origin(){return this._origin.slice()},signal(e,t,n){
let r=nm(this,e);return arguments.length===1?r.value:this.update(r,t,n)},width(e){return arguments.length?this.signal("width",e):this.signal("width")},height(e){
return arguments.length?this.signal("height",e):this.signal("height")},padding(e){return arguments.length?this.signal("padding",ZM(e)):ZM(this.signal("padding"))},
autosize(e){return arguments.length?this.signal("autosize",e):this.signal("autosize")},background(e){return arguments.length?this.signal("background",e):this.signal(
"background")},renderer(e){return arguments.length?(Sp(e)||D("Unrecognized renderer type: "+e),e!==this._renderType&&(this._renderType=e,this._resetRenderer()),
this):this._renderType},tooltip(e){return arguments.length?(e!==this._tooltip&&(this._tooltip=e,this._resetRenderer()),this):this._tooltip},loader(e){return arguments.
length?(e!==this._loader&&(hs.prototype.loader.call(this,e),this._resetRenderer()),this):this._loader},resize(){return this._autosize=1,this.touch(nm(this,"auto\
size"))},_resetRenderer(){this._renderer&&(this._renderer=null,this.initialize(this._el,this._elBind))},_resizeView:$ee,addEventListener(e,t,n){let r=t;return n&&
n.trap===!1||(r=wA(this,t),r.raw=t),this._handler.on(e,r),this},removeEventListener(e,t){for(var n=this._handler.handlers(e),r=n.length,i,a;--r>=0;)if(a=n[r].type,
i=n[r].handler,e===a&&(t===i||t===i.raw)){this._handler.off(a,i);break}return this},addResizeListener(e){let t=this._resizeListeners;return t.includes(e)||t.push(
e),this},removeResizeListener(e){var t=this._resizeListeners,n=t.indexOf(e);return n>=0&&t.splice(n,1),this},addSignalListener(e,t){return eD(this,e,nm(this,e),
t)},removeSignalListener(e,t){return tD(this,nm(this,e),t)},addDataListener(e,t){return eD(this,e,rm(this,e).values,t)},removeDataListener(e,t){return tD(this,rm(
this,e).values,t)},globalCursor(e){if(arguments.length){if(this._globalCursor!==!!e){let t=vA(this,null);this._globalCursor=!!e,t&&vA(this,t)}return this}else return this.
_globalCursor},preventDefault(e){return arguments.length?(this._preventDefault=e,this):this._preventDefault},timer:Bee,events:oee,finalize:uee,hover:see,data:YJ,
change:am,insert:VJ,remove:XJ,scale:Mee,initialize:Aee,toImageURL:See,toCanvas:_ee,toSVG:kee,getState:Tee,setState:Nee,_watchPixelRatio:Lee});var Uee="view";var qee=/[[\]{}]/,jee={"*":1,arc:1,area:1,group:1,image:1,line:1,path:1,rect:1,rule:1,shape:1,symbol:1,text:1,trail:1},gD,mD;function Ni(e,t,n){return gD=t||Uee,
mD=n||jee,yD(e.trim()).map(SA)}function Wee(e){return mD[e]}function yd(e,t,n,r,i){let a=e.length,o=0,s;for(;t<a;++t){if(s=e[t],!o&&s===n)return t;i&&i.includes(
s)?--o:r&&r.includes(s)&&++o}return t}function yD(e){let t=[],n=e.length,r=0,i=0;for(;i<n;)i=yd(e,i,",","[{","]}"),t.push(e.substring(r,i).trim()),r=++i;if(t.length===
0)throw"Empty event selector: "+e;return t}function SA(e){return e[0]==="["?Gee(e):Hee(e)}function Gee(e){let t=e.length,n=1,r;if(n=yd(e,n,"]","[","]"),n===t)throw"\
Empty between selector: "+e;if(r=yD(e.substring(1,n)),r.length!==2)throw"Between selector must have two elements: "+e;if(e=e.slice(n+1).trim(),e[0]!==">")throw"\
Expected '>' after between selector: "+e;r=r.map(SA);let i=SA(e.slice(1).trim());return i.between?{between:r,stream:i}:(i.between=r,i)}function Hee(e){let t={source:gD},
n=[],r=[0,0],i=0,a=0,o=e.length,s=0,u,l;if(e[o-1]==="}"){if(s=e.lastIndexOf("{"),s>=0){try{r=Yee(e.substring(s+1,o-1))}catch{throw"Invalid throttle specificatio\
n: "+e}e=e.slice(0,s).trim(),o=e.length}else throw"Unmatched right brace: "+e;s=0}if(!o)throw e;if(e[0]==="@"&&(i=++s),u=yd(e,s,":"),u<o&&(n.push(e.substring(a,
u).trim()),a=s=++u),s=yd(e,s,"["),s===o)n.push(e.substring(a,o).trim());else if(n.push(e.substring(a,s).trim()),l=[],a=++s,a===o)throw"Unmatched left bracket: "+
e;for(;s<o;){if(s=yd(e,s,"]"),s===o)throw"Unmatched left bracket: "+e;if(l.push(e.substring(a,s).trim()),s<o-1&&e[++s]!=="[")throw"Expected left bracket: "+e;a=
++s}if(!(o=n.length)||qee.test(n[o-1]))throw"Invalid event selector: "+e;return o>1?(t.type=n[1],i?t.markname=n[0].slice(1):Wee(n[0])?t.marktype=n[0]:t.source=n[0]):
t.type=n[0],t.type.slice(-1)==="!"&&(t.consume=!0,t.type=t.type.slice(0,-1)),l!=null&&(t.filter=l),r[0]&&(t.throttle=r[0]),r[1]&&(t.debounce=r[1]),t}function Yee(e){
let t=e.split(",");if(!e.length||t.length>2)throw e;return t.map(n=>{let r=+n;if(r!==r)throw e;return r})}function Vee(e){return V(e)?e:{type:e||"pad"}}var bd=e=>+e||0,Xee=e=>({top:e,bottom:e,left:e,right:e});function Kee(e){return V(e)?e.signal?e:{top:bd(e.top),bottom:bd(
e.bottom),left:bd(e.left),right:bd(e.right)}:Xee(bd(e))}var Ut=e=>V(e)&&!R(e)?oe({},e):{value:e};function bD(e,t,n,r){return n!=null?(V(n)&&!R(n)||R(n)&&n.length&&
V(n[0])?e.update[t]=n:e[r||"enter"][t]={value:n},1):0}function Zt(e,t,n){for(let r in t)bD(e,r,t[r]);for(let r in n)bD(e,r,n[r],"update")}function Rl(e,t,n){for(let r in t)
n&&Y(n,r)||(e[r]=oe(e[r]||{},t[r]));return e}function Ml(e,t){return t&&(t.enter&&t.enter[e]||t.update&&t.update[e])}var NA="mark",BA="frame",PA="scope",Qee="ax\
is",Zee="axis-domain",Jee="axis-grid",ete="axis-label",tte="axis-tick",nte="axis-title",rte="legend",ite="legend-band",ate="legend-entry",ote="legend-gradient",
PD="legend-label",ste="legend-symbol",ute="legend-title",lte="title",cte="title-text",fte="title-subtitle";function dte(e,t,n,r,i){let a={},o={},s,u,l,c;u="line\
Break",t==="text"&&i[u]!=null&&!Ml(u,e)&&CA(a,u,i[u]),(n=="legend"||String(n).startsWith("axis"))&&(n=null),c=n===BA?i.group:n===NA?oe({},i.mark,i[t]):null;for(u in c)
l=Ml(u,e)||(u==="fill"||u==="stroke")&&(Ml("fill",e)||Ml("stroke",e)),l||CA(a,u,c[u]);H(r).forEach(f=>{let d=i.style&&i.style[f];for(let h in d)Ml(h,e)||CA(a,h,
d[h])}),e=oe({},e);for(u in a)c=a[u],c.signal?(s=s||{})[u]=c:o[u]=c;return e.enter=oe(o,e.enter),s&&(e.update=oe(s,e.update)),e}function CA(e,t,n){e[t]=n&&n.signal?
{signal:n.signal}:{value:n}}var ID=e=>X(e)?I(e):e.signal?`(${e.signal})`:zD(e);function gm(e){if(e.gradient!=null)return pte(e);let t=e.signal?`(${e.signal})`:e.
color?hte(e.color):e.field!=null?zD(e.field):e.value!==void 0?I(e.value):void 0;return e.scale!=null&&(t=gte(e,t)),t===void 0&&(t=null),e.exponent!=null&&(t=`po\
w(${t},${lm(e.exponent)})`),e.mult!=null&&(t+=`*${lm(e.mult)}`),e.offset!=null&&(t+=`+${lm(e.offset)}`),e.round&&(t=`round(${t})`),t}var um=(e,t,n,r)=>`(${e}(${[
t,n,r].map(gm).join(",")})+'')`;function hte(e){return e.c?um("hcl",e.h,e.c,e.l):e.h||e.s?um("hsl",e.h,e.s,e.l):e.l||e.a?um("lab",e.l,e.a,e.b):e.r||e.g||e.b?um(
"rgb",e.r,e.g,e.b):null}function pte(e){let t=[e.start,e.stop,e.count].map(n=>n==null?null:I(n));for(;t.length&&fe(t)==null;)t.pop();return t.unshift(ID(e.gradient)),
`gradient(${t.join(",")})`}function lm(e){return V(e)?"("+gm(e)+")":e}function zD(e){return LD(V(e)?e:{datum:e})}function LD(e){let t,n,r;if(e.signal)t="datum",
r=e.signal;else if(e.group||e.parent){for(n=Math.max(1,e.level||1),t="item";n-- >0;)t+=".mark.group";e.parent?(r=e.parent,t+=".datum"):r=e.group}else e.datum?(t=
"datum",r=e.datum):D("Invalid field reference: "+I(e));return e.signal||(r=X(r)?xn(r).map(I).join("]["):LD(r)),t+"["+r+"]"}function gte(e,t){let n=ID(e.scale);return e.
range!=null?t=`lerp(_range(${n}), ${+e.range})`:(t!==void 0&&(t=`_scale(${n}, ${t})`),e.band&&(t=(t?t+"+":"")+`_bandwidth(${n})`+(+e.band==1?"":"*"+lm(e.band)),
e.extra&&(t=`(datum.extra ? _scale(${n}, datum.extra.value) : ${t})`)),t==null&&(t="0")),t}function mte(e){let t="";return e.forEach(n=>{let r=gm(n);t+=n.test?`\
(${n.test})?${r}:`:r}),fe(t)===":"&&(t+="null"),t}function UD(e,t,n,r,i,a){let o={};a=a||{},a.encoders={$encode:o},e=dte(e,t,n,r,i.config);for(let s in e)o[s]=yte(
e[s],t,a,i);return a}function yte(e,t,n,r){let i={},a={};for(let o in e)e[o]!=null&&(i[o]=xte(bte(e[o]),r,n,a));return{$expr:{marktype:t,channels:i},$fields:Object.
keys(a),$output:Object.keys(e)}}function bte(e){return R(e)?mte(e):gm(e)}function xte(e,t,n,r){let i=Xr(e,t);return i.$fields.forEach(a=>r[a]=1),oe(n,i.$params),
i.$expr}var vte="outer",wte=["value","update","init","react","bind"];function xD(e,t){D(e+' for "outer" push: '+I(t))}function qD(e,t){let n=e.name;if(e.push===
vte)t.signals[n]||xD("No prior signal definition",n),wte.forEach(r=>{e[r]!==void 0&&xD("Invalid property ",r)});else{let r=t.addSignal(n,e.value);e.react===!1&&
(r.react=!1),e.bind&&t.addBinding(n,e.bind)}}function FA(e,t,n,r){this.id=-1,this.type=e,this.value=t,this.params=n,r&&(this.parent=r)}function mm(e,t,n,r){return new FA(
e,t,n,r)}function pm(e,t){return mm("operator",e,t)}function ue(e){let t={$ref:e.id};return e.id<0&&(e.refs=e.refs||[]).push(t),t}function wd(e,t){return t?{$field:e,
$name:t}:{$field:e}}var MA=wd("key");function vD(e,t){return{$compare:e,$order:t}}function Ate(e,t){let n={$key:e};return t&&(n.$flat=!0),n}var Ete="ascending",
Ste="descending";function Cte(e){return V(e)?(e.order===Ste?"-":"+")+ym(e.op,e.field):""}function ym(e,t){return(e&&e.signal?"$"+e.signal:e||"")+(e&&t?"_":"")+(t&&
t.signal?"$"+t.signal:t?.replace(/\W+/g,"_").replace(/^_+|_+$/g,"")||"")}var IA="scope",DA="view";function vt(e){return e&&e.signal}function _te(e){return e&&e.
expr}function cm(e){if(vt(e))return!0;if(V(e)){for(let t in e)if(cm(e[t]))return!0}return!1}function Kr(e,t){return e??t}function Gs(e){return e&&e.signal||e}var wD="\
timer";function Ad(e,t){return(e.merge?Fte:e.stream?Mte:e.type?Dte:D("Invalid stream specification: "+I(e)))(e,t)}function kte(e){return e===IA?DA:e||DA}function Fte(e,t){
let n=e.merge.map(i=>Ad(i,t)),r=zA({merge:n},e,t);return t.addStream(r).id}function Mte(e,t){let n=Ad(e.stream,t),r=zA({stream:n},e,t);return t.addStream(r).id}
function Dte(e,t){let n;e.type===wD?(n=t.event(wD,e.throttle),e={between:e.between,filter:e.filter}):n=t.event(kte(e.source),e.type);let r=zA({stream:n},e,t);return Object.
keys(r).length===1?n:t.addStream(r).id}function zA(e,t,n){let r=t.between;return r&&(r.length!==2&&D('Stream "between" parameter must have 2 entries: '+I(t)),e.
between=[Ad(r[0],n),Ad(r[1],n)]),r=t.filter?[].concat(t.filter):[],(t.marktype||t.markname||t.markrole)&&r.push($te(t.marktype,t.markname,t.markrole)),t.source===
IA&&r.push("inScope(event.item)"),r.length&&(e.filter=Xr("("+r.join(")&&(")+")",n).$expr),(r=t.throttle)!=null&&(e.throttle=+r),(r=t.debounce)!=null&&(e.debounce=
+r),t.consume&&(e.consume=!0),e}function $te(e,t,n){let r="event.item";return r+(e&&e!=="*"?"&&"+r+".mark.marktype==='"+e+"'":"")+(n?"&&"+r+".mark.role==='"+n+"\
'":"")+(t?"&&"+r+".mark.name==='"+t+"'":"")}var Tte={code:"_.$value",ast:{type:"Identifier",value:"value"}};function Rte(e,t,n){let r=e.encode,i={target:n},a=e.
events,o=e.update,s=[];a||D("Signal update missing events specification."),X(a)&&(a=Ni(a,t.isSubscope()?IA:DA)),a=H(a).filter(u=>u.signal||u.scale?(s.push(u),0):
1),s.length>1&&(s=[Nte(s)]),a.length&&s.push(a.length>1?{merge:a}:a[0]),r!=null&&(o&&D("Signal encode and update are mutually exclusive."),o="encode(item(),"+I(
r)+")"),i.update=X(o)?Xr(o,t):o.expr!=null?Xr(o.expr,t):o.value!=null?o.value:o.signal!=null?{$expr:Tte,$params:{$value:t.signalRef(o.signal)}}:D("Invalid signa\
l update specification."),e.force&&(i.options={force:!0}),s.forEach(u=>t.addUpdate(oe(Ote(u,t),i)))}function Ote(e,t){return{source:e.signal?t.signalRef(e.signal):
e.scale?t.scaleRef(e.scale):Ad(e,t)}}function Nte(e){return{signal:"["+e.map(t=>t.scale?'scale("'+t.scale+'")':t.signal)+"]"}}function Bte(e,t){let n=t.getSignal(
e.name),r=e.update;e.init&&(r?D("Signals can not include both init and update expressions."):(r=e.init,n.initonly=!0)),r&&(r=Xr(r,t),n.update=r.$expr,n.params=r.
$params),e.on&&e.on.forEach(i=>Rte(i,t,n.id))}var ze=e=>(t,n,r)=>mm(e,n,t||void 0,r),jD=ze("aggregate"),Pte=ze("axisticks"),WD=ze("bound"),Zr=ze("collect"),AD=ze(
"compare"),Ite=ze("datajoin"),GD=ze("encode"),zte=ze("expression"),Lte=ze("facet"),Ute=ze("field"),qte=ze("key"),jte=ze("legendentries"),Wte=ze("load"),Gte=ze("\
mark"),Hte=ze("multiextent"),Yte=ze("multivalues"),Vte=ze("overlap"),Xte=ze("params"),HD=ze("prefacet"),Kte=ze("projection"),Qte=ze("proxy"),Zte=ze("relay"),YD=ze(
"render"),Jte=ze("scale"),Ys=ze("sieve"),ene=ze("sortitems"),VD=ze("viewlayout"),tne=ze("values"),nne=0,XD={min:"min",max:"max",count:"sum"};function rne(e,t){let n=e.
type||"linear";$x(n)||D("Unrecognized scale type: "+I(n)),t.addScale(e.name,{type:n,domain:void 0})}function ine(e,t){let n=t.getScale(e.name).params,r;n.domain=
KD(e.domain,e,t),e.range!=null&&(n.range=ZD(e,t,n)),e.interpolate!=null&&pne(e.interpolate,n),e.nice!=null&&(n.nice=hne(e.nice,t)),e.bins!=null&&(n.bins=dne(e.bins,
t));for(r in e)Y(n,r)||r==="name"||(n[r]=_r(e[r],t))}function _r(e,t){return V(e)?e.signal?t.signalRef(e.signal):D("Unsupported object: "+I(e)):e}function fm(e,t){
return e.signal?t.signalRef(e.signal):e.map(n=>_r(n,t))}function bm(e){D("Can not find data set: "+I(e))}function KD(e,t,n){if(!e){(t.domainMin!=null||t.domainMax!=
null)&&D("No scale domain defined for domainMin/domainMax to override.");return}return e.signal?n.signalRef(e.signal):(R(e)?ane:e.fields?sne:one)(e,t,n)}function ane(e,t,n){
return e.map(r=>_r(r,n))}function one(e,t,n){let r=n.getData(e.data);return r||bm(e.data),go(t.type)?r.valuesRef(n,e.field,QD(e.sort,!1)):Rx(t.type)?r.domainRef(
n,e.field):r.extentRef(n,e.field)}function sne(e,t,n){let r=e.data,i=e.fields.reduce((a,o)=>(o=X(o)?{data:r,field:o}:R(o)||o.signal?une(o,n):o,a.push(o),a),[]);
return(go(t.type)?lne:Rx(t.type)?cne:fne)(e,n,i)}function une(e,t){let n="_:vega:_"+nne++,r=Zr({});if(R(e)&&!e.some(vt))r.value={$ingest:e};else{let i=R(e)?"["+
e.map(o=>vt(o)?o.signal:I(o)).join(",")+"]":e.signal,a="setdata("+I(n)+","+i+")";r.params.input=t.signalRef(a)}return t.addDataPipeline(n,[r,Ys({})]),{data:n,field:"\
data"}}function lne(e,t,n){let r=QD(e.sort,!0),i,a,o=n.map(l=>{let c=t.getData(l.data);return c||bm(l.data),c.countsRef(t,l.field,r)}),s={groupby:MA,pulse:o};r&&
(i=r.op||"count",a=r.field?ym(i,r.field):"count",s.ops=[XD[i]],s.fields=[t.fieldRef(a)],s.as=[a]),i=t.add(jD(s));let u=t.add(Zr({pulse:ue(i)}));return a=t.add(tne(
{field:MA,sort:t.sortRef(r),pulse:ue(u)})),ue(a)}function QD(e,t){return e&&(!e.field&&!e.op?V(e)?e.field="key":e={field:"key"}:!e.field&&e.op!=="count"?D("No f\
ield provided for sort aggregate op: "+e.op):t&&e.field&&e.op&&!XD[e.op]&&D("Multiple domain scales can not be sorted using "+e.op)),e}function cne(e,t,n){let r=n.
map(i=>{let a=t.getData(i.data);return a||bm(i.data),a.domainRef(t,i.field)});return ue(t.add(Yte({values:r})))}function fne(e,t,n){let r=n.map(i=>{let a=t.getData(
i.data);return a||bm(i.data),a.extentRef(t,i.field)});return ue(t.add(Hte({extents:r})))}function dne(e,t){return e.signal||R(e)?fm(e,t):t.objectProperty(e)}function hne(e,t){
return e.signal?t.signalRef(e.signal):V(e)?{interval:_r(e.interval),step:_r(e.step)}:_r(e)}function pne(e,t){t.interpolate=_r(e.type||e),e.gamma!=null&&(t.interpolateGamma=
_r(e.gamma))}function ZD(e,t,n){let r=t.config.range,i=e.range;if(i.signal)return t.signalRef(i.signal);if(X(i)){if(r&&Y(r,i))return e=oe({},e,{range:r[i]}),ZD(
e,t,n);i==="width"?i=[0,{signal:"width"}]:i==="height"?i=go(e.type)?[0,{signal:"height"}]:[{signal:"height"},0]:D("Unrecognized scale range value: "+I(i))}else if(i.
scheme){n.scheme=R(i.scheme)?fm(i.scheme,t):_r(i.scheme,t),i.extent&&(n.schemeExtent=fm(i.extent,t)),i.count&&(n.schemeCount=_r(i.count,t));return}else if(i.step){
n.rangeStep=_r(i.step,t);return}else{if(go(e.type)&&!R(i))return KD(i,e,t);R(i)||D("Unsupported range type: "+I(i))}return i.map(a=>(R(a)?fm:_r)(a,t))}function gne(e,t){
let n=t.config.projection||{},r={};for(let i in e)i!=="name"&&(r[i]=$A(e[i],i,t));for(let i in n)r[i]==null&&(r[i]=$A(n[i],i,t));t.addProjection(e.name,r)}function $A(e,t,n){
return R(e)?e.map(r=>$A(r,t,n)):V(e)?e.signal?n.signalRef(e.signal):t==="fit"?e:D("Unsupported parameter object: "+I(e)):e}var Jr="top",Ol="left",Nl="right",No="\
bottom",JD="center",mne="vertical",yne="start",bne="middle",xne="end",TA="index",LA="label",vne="offset",Tl="perc",wne="perc2",kr="value",Sd="guide-label",UA="g\
uide-title",Ane="group-title",Ene="group-subtitle",ED="symbol",dm="gradient",RA="discrete",OA="size",Sne="shape",Cne="fill",_ne="stroke",kne="strokeWidth",Fne="\
strokeDash",Mne="opacity",qA=[OA,Sne,Cne,_ne,kne,Fne,Mne],Cd={name:1,style:1,interactive:1},ke={value:0},Fr={value:1},xm="group",e$="rect",jA="rule",Dne="symbol",
Vs="text";function Ed(e){return e.type=xm,e.interactive=e.interactive||!1,e}function Hn(e,t){let n=(r,i)=>Kr(e[r],Kr(t[r],i));return n.isVertical=r=>mne===Kr(e.
direction,t.direction||(r?t.symbolDirection:t.gradientDirection)),n.gradientLength=()=>Kr(e.gradientLength,t.gradientLength||t.gradientWidth),n.gradientThickness=
()=>Kr(e.gradientThickness,t.gradientThickness||t.gradientHeight),n.entryColumns=()=>Kr(e.columns,Kr(t.columns,+n.isVertical(!0))),n}function t$(e,t){let n=t&&(t.
update&&t.update[e]||t.enter&&t.enter[e]);return n&&n.signal?n:n?n.value:null}function $ne(e,t,n){let r=t.config.style[n];return r&&r[e]}function vm(e,t,n){return`\
item.anchor === '${yne}' ? ${e} : item.anchor === '${xne}' ? ${t} : ${n}`}var WA=vm(I(Ol),I(Nl),I(JD));function Tne(e){let t=e("tickBand"),n=e("tickOffset"),r,i;
return t?t.signal?(r={signal:`(${t.signal}) === 'extent' ? 1 : 0.5`},i={signal:`(${t.signal}) === 'extent'`},V(n)||(n={signal:`(${t.signal}) === 'extent' ? 0 : ${n}`})):
t==="extent"?(r=1,i=!0,n=0):(r=.5,i=!1):(r=e("bandPosition"),i=e("tickExtra")),{extra:i,band:r,offset:n}}function n$(e,t){return t?e?V(e)?Object.assign({},e,{offset:n$(
e.offset,t)}):{value:e,offset:t}:t:e}function fr(e,t){return t?(e.name=t.name,e.style=t.style||e.style,e.interactive=!!t.interactive,e.encode=Rl(e.encode,t,Cd)):
e.interactive=!1,e}function Rne(e,t,n,r){let i=Hn(e,n),a=i.isVertical(),o=i.gradientThickness(),s=i.gradientLength(),u,l,c,f,d;a?(l=[0,1],c=[0,0],f=o,d=s):(l=[0,
0],c=[1,0],f=s,d=o);let h={enter:u={opacity:ke,x:ke,y:ke,width:Ut(f),height:Ut(d)},update:oe({},u,{opacity:Fr,fill:{gradient:t,start:l,stop:c}}),exit:{opacity:ke}};
return Zt(h,{stroke:i("gradientStrokeColor"),strokeWidth:i("gradientStrokeWidth")},{opacity:i("gradientOpacity")}),fr({type:e$,role:ote,encode:h},r)}function One(e,t,n,r,i){
let a=Hn(e,n),o=a.isVertical(),s=a.gradientThickness(),u=a.gradientLength(),l,c,f,d,h="";o?(l="y",f="y2",c="x",d="width",h="1-"):(l="x",f="x2",c="y",d="height");
let p={opacity:ke,fill:{scale:t,field:kr}};p[l]={signal:h+"datum."+Tl,mult:u},p[c]=ke,p[f]={signal:h+"datum."+wne,mult:u},p[d]=Ut(s);let g={enter:p,update:oe({},
p,{opacity:Fr}),exit:{opacity:ke}};return Zt(g,{stroke:a("gradientStrokeColor"),strokeWidth:a("gradientStrokeWidth")},{opacity:a("gradientOpacity")}),fr({type:e$,
role:ite,key:kr,from:i,encode:g},r)}var Nne=`datum.${Tl}<=0?"${Ol}":datum.${Tl}>=1?"${Nl}":"${JD}"`,Bne=`datum.${Tl}<=0?"${No}":datum.${Tl}>=1?"${Jr}":"${bne}"`;
function SD(e,t,n,r){let i=Hn(e,t),a=i.isVertical(),o=Ut(i.gradientThickness()),s=i.gradientLength(),u=i("labelOverlap"),l,c,f,d,h="",p={enter:l={opacity:ke},update:c=
{opacity:Fr,text:{field:LA}},exit:{opacity:ke}};return Zt(p,{fill:i("labelColor"),fillOpacity:i("labelOpacity"),font:i("labelFont"),fontSize:i("labelFontSize"),
fontStyle:i("labelFontStyle"),fontWeight:i("labelFontWeight"),limit:Kr(e.labelLimit,t.gradientLabelLimit)}),a?(l.align={value:"left"},l.baseline=c.baseline={signal:Bne},
f="y",d="x",h="1-"):(l.align=c.align={signal:Nne},l.baseline={value:"top"},f="x",d="y"),l[f]=c[f]={signal:h+"datum."+Tl,mult:s},l[d]=c[d]=o,o.offset=Kr(e.labelOffset,
t.gradientLabelOffset)||0,u=u?{separation:i("labelSeparation"),method:u,order:"datum."+TA}:void 0,fr({type:Vs,role:PD,style:Sd,key:kr,from:r,encode:p,overlap:u},
n)}function Pne(e,t,n,r,i){let a=Hn(e,t),o=n.entries,s=!!(o&&o.interactive),u=o?o.name:void 0,l=a("clipHeight"),c=a("symbolOffset"),f={data:"value"},d=`(${i}) ?\
 datum.${vne} : datum.${OA}`,h=l?Ut(l):{field:OA},p=`datum.${TA}`,g=`max(1, ${i})`,m,y,b,x,v;h.mult=.5,m={enter:y={opacity:ke,x:{signal:d,mult:.5,offset:c},y:h},
update:b={opacity:Fr,x:y.x,y:y.y},exit:{opacity:ke}};let w=null,E=null;e.fill||(w=t.symbolBaseFillColor,E=t.symbolBaseStrokeColor),Zt(m,{fill:a("symbolFillColor",
w),shape:a("symbolType"),size:a("symbolSize"),stroke:a("symbolStrokeColor",E),strokeDash:a("symbolDash"),strokeDashOffset:a("symbolDashOffset"),strokeWidth:a("s\
ymbolStrokeWidth")},{opacity:a("symbolOpacity")}),qA.forEach(_=>{e[_]&&(b[_]=y[_]={scale:e[_],field:kr})});let A=fr({type:Dne,role:ste,key:kr,from:f,clip:l?!0:void 0,
encode:m},n.symbols),S=Ut(c);S.offset=a("labelOffset"),m={enter:y={opacity:ke,x:{signal:d,offset:S},y:h},update:b={opacity:Fr,text:{field:LA},x:y.x,y:y.y},exit:{
opacity:ke}},Zt(m,{align:a("labelAlign"),baseline:a("labelBaseline"),fill:a("labelColor"),fillOpacity:a("labelOpacity"),font:a("labelFont"),fontSize:a("labelFon\
tSize"),fontStyle:a("labelFontStyle"),fontWeight:a("labelFontWeight"),limit:a("labelLimit")});let C=fr({type:Vs,role:PD,style:Sd,key:kr,from:f,encode:m},n.labels);
return m={enter:{noBound:{value:!l},width:ke,height:l?Ut(l):ke,opacity:ke},exit:{opacity:ke},update:b={opacity:Fr,row:{signal:null},column:{signal:null}}},a.isVertical(
!0)?(x=`ceil(item.mark.items.length / ${g})`,b.row.signal=`${p}%${x}`,b.column.signal=`floor(${p} / ${x})`,v={field:["row",p]}):(b.row.signal=`floor(${p} / ${g}\
)`,b.column.signal=`${p} % ${g}`,v={field:p}),b.column.signal=`(${i})?${b.column.signal}:${p}`,r={facet:{data:r,name:"value",groupby:TA}},Ed({role:PA,from:r,encode:Rl(
m,o,Cd),marks:[A,C],name:u,interactive:s,sort:v})}function Ine(e,t){let n=Hn(e,t);return{align:n("gridAlign"),columns:n.entryColumns(),center:{row:!0,column:!1},
padding:{row:n("rowPadding"),column:n("columnPadding")}}}var GA='item.orient === "left"',HA='item.orient === "right"',wm=`(${GA} || ${HA})`,zne=`datum.vgrad && ${wm}`,
Lne=vm('"top"','"bottom"','"middle"'),Une=vm('"right"','"left"','"center"'),qne=`datum.vgrad && ${HA} ? (${Une}) : (${wm} && !(datum.vgrad && ${GA})) ? "left" :\
 ${WA}`,jne=`item._anchor || (${wm} ? "middle" : "start")`,Wne=`${zne} ? (${GA} ? -90 : 90) : 0`,Gne=`${wm} ? (datum.vgrad ? (${HA} ? "bottom" : "top") : ${Lne}\
) : "top"`;function Hne(e,t,n,r){let i=Hn(e,t),a={enter:{opacity:ke},update:{opacity:Fr,x:{field:{group:"padding"}},y:{field:{group:"padding"}}},exit:{opacity:ke}};
return Zt(a,{orient:i("titleOrient"),_anchor:i("titleAnchor"),anchor:{signal:jne},angle:{signal:Wne},align:{signal:qne},baseline:{signal:Gne},text:e.title,fill:i(
"titleColor"),fillOpacity:i("titleOpacity"),font:i("titleFont"),fontSize:i("titleFontSize"),fontStyle:i("titleFontStyle"),fontWeight:i("titleFontWeight"),limit:i(
"titleLimit"),lineHeight:i("titleLineHeight")},{align:i("titleAlign"),baseline:i("titleBaseline")}),fr({type:Vs,role:ute,style:UA,from:r,encode:a},n)}function Yne(e,t){
let n;return V(e)&&(e.signal?n=e.signal:e.path?n="pathShape("+CD(e.path)+")":e.sphere&&(n="geoShape("+CD(e.sphere)+', {type: "Sphere"})')),n?t.signalRef(n):!!e}
function CD(e){return V(e)&&e.signal?e.signal:I(e)}function r$(e){let t=e.role||"";return t.startsWith("axis")||t.startsWith("legend")||t.startsWith("title")?t:
e.type===xm?PA:t||NA}function Vne(e){return{marktype:e.type,name:e.name||void 0,role:e.role||r$(e),zindex:+e.zindex||void 0,aria:e.aria,description:e.description}}
function Xne(e,t){return e&&e.signal?t.signalRef(e.signal):e!==!1}function YA(e,t){let n=jy(e.type);n||D("Unrecognized transform type: "+I(e.type));let r=mm(n.type.
toLowerCase(),null,i$(n,e,t));return e.signal&&t.addSignal(e.signal,t.proxy(r)),r.metadata=n.metadata||{},r}function i$(e,t,n){let r={},i=e.params.length;for(let a=0;a<
i;++a){let o=e.params[a];r[o.name]=Kne(o,t,n)}return r}function Kne(e,t,n){let r=e.type,i=t[e.name];if(r==="index")return Qne(e,t,n);if(i===void 0){e.required&&
D("Missing required "+I(t.type)+" parameter: "+I(e.name));return}else{if(r==="param")return Zne(e,t,n);if(r==="projection")return n.projectionRef(t[e.name])}return e.
array&&!vt(i)?i.map(a=>_D(e,a,n)):_D(e,i,n)}function _D(e,t,n){let r=e.type;if(vt(t))return FD(r)?D("Expression references can not be signals."):_A(r)?n.fieldRef(
t):MD(r)?n.compareRef(t):n.signalRef(t.signal);{let i=e.expr||_A(r);return i&&Jne(t)?n.exprRef(t.expr,t.as):i&&ere(t)?wd(t.field,t.as):FD(r)?Xr(t,n):tre(r)?ue(n.
getData(t).values):_A(r)?wd(t):MD(r)?n.compareRef(t):t}}function Qne(e,t,n){return X(t.from)||D('Lookup "from" parameter must be a string literal.'),n.getData(t.
from).lookupRef(n,t.key)}function Zne(e,t,n){let r=t[e.name];return e.array?(R(r)||D("Expected an array of sub-parameters. Instead: "+I(r)),r.map(i=>kD(e,i,n))):
kD(e,r,n)}function kD(e,t,n){let r=e.params.length,i;for(let o=0;o<r;++o){i=e.params[o];for(let s in i.key)if(i.key[s]!==t[s]){i=null;break}if(i)break}i||D("Uns\
upported parameter: "+I(t));let a=oe(i$(i,t,n),i.key);return ue(n.add(Xte(a)))}var Jne=e=>e&&e.expr,ere=e=>e&&e.field,tre=e=>e==="data",FD=e=>e==="expr",_A=e=>e===
"field",MD=e=>e==="compare";function nre(e,t,n){let r,i,a,o,s;return e?(r=e.facet)&&(t||D("Only group marks can be faceted."),r.field!=null?o=s=hm(r,n):(e.data?
s=ue(n.getData(e.data).aggregate):(a=YA(oe({type:"aggregate",groupby:H(r.groupby)},r.aggregate),n),a.params.key=n.keyRef(r.groupby),a.params.pulse=hm(r,n),o=s=ue(
n.add(a))),i=n.keyRef(r.groupby,!0))):o=ue(n.add(Zr(null,[{}]))),o||(o=hm(e,n)),{key:i,pulse:o,parent:s}}function hm(e,t){return e.$ref?e:e.data&&e.data.$ref?e.
data:ue(t.getData(e.data).output)}function Hs(e,t,n,r,i){this.scope=e,this.input=t,this.output=n,this.values=r,this.aggregate=i,this.index={}}Hs.fromEntries=function(e,t){
let n=t.length,r=t[n-1],i=t[n-2],a=t[0],o=null,s=1;for(a&&a.type==="load"&&(a=t[1]),e.add(t[0]);s<n;++s)t[s].params.pulse=ue(t[s-1]),e.add(t[s]),t[s].type==="ag\
gregate"&&(o=t[s]);return new Hs(e,a,i,r,o)};function a$(e){return X(e)?e:null}function DD(e,t,n){let r=ym(n.op,n.field),i;if(t.ops){for(let a=0,o=t.as.length;a<
o;++a)if(t.as[a]===r)return}else t.ops=["count"],t.fields=[null],t.as=["count"];n.op&&(t.ops.push((i=n.op.signal)?e.signalRef(i):n.op),t.fields.push(e.fieldRef(
n.field)),t.as.push(r))}function xd(e,t,n,r,i,a,o){let s=t[n]||(t[n]={}),u=Cte(a),l=a$(i),c,f;if(l!=null&&(e=t.scope,l=l+(u?"|"+u:""),c=s[l]),!c){let d=a?{field:MA,
pulse:t.countsRef(e,i,a)}:{field:e.fieldRef(i),pulse:ue(t.output)};u&&(d.sort=e.sortRef(a)),f=e.add(mm(r,void 0,d)),o&&(t.index[i]=f),c=ue(f),l!=null&&(s[l]=c)}
return c}Hs.prototype={countsRef(e,t,n){let r=this,i=r.counts||(r.counts={}),a=a$(t),o,s,u;return a!=null&&(e=r.scope,o=i[a]),o?n&&n.field&&DD(e,o.agg.params,n):
(u={groupby:e.fieldRef(t,"key"),pulse:ue(r.output)},n&&n.field&&DD(e,u,n),s=e.add(jD(u)),o=e.add(Zr({pulse:ue(s)})),o={agg:s,ref:ue(o)},a!=null&&(i[a]=o)),o.ref},
tuplesRef(){return ue(this.values)},extentRef(e,t){return xd(e,this,"extent","extent",t,!1)},domainRef(e,t){return xd(e,this,"domain","values",t,!1)},valuesRef(e,t,n){
return xd(e,this,"vals","values",t,n||!0)},lookupRef(e,t){return xd(e,this,"lookup","tupleindex",t,!1)},indataRef(e,t){return xd(e,this,"indata","tupleindex",t,
!0,!0)}};function rre(e,t,n){let r=e.from.facet,i=r.name,a=hm(r,t),o;r.name||D("Facet must have a name: "+I(r)),r.data||D("Facet must reference a data set: "+I(
r)),r.field?o=t.add(HD({field:t.fieldRef(r.field),pulse:a})):r.groupby?o=t.add(Lte({key:t.keyRef(r.groupby),group:ue(t.proxy(n.parent)),pulse:a})):D("Facet must\
 specify groupby or field: "+I(r));let s=t.fork(),u=s.add(Zr()),l=s.add(Ys({pulse:ue(u)}));s.addData(i,new Hs(s,u,u,l)),s.addSignal("parent",null),o.params.subflow=
{$subflow:s.parse(e).toRuntime()}}function ire(e,t,n){let r=t.add(HD({pulse:n.pulse})),i=t.fork();i.add(Ys()),i.addSignal("parent",null),r.params.subflow={$subflow:i.
parse(e).toRuntime()}}function o$(e,t,n){let r=e.remove,i=e.insert,a=e.toggle,o=e.modify,s=e.values,u=t.add(pm()),l="if("+e.trigger+',modify("'+n+'",'+[i,r,a,o,
s].map(f=>f??"null").join(",")+"),0)",c=Xr(l,t);u.update=c.$expr,u.params=c.$params}function Am(e,t){let n=r$(e),r=e.type===xm,i=e.from&&e.from.facet,a=e.overlap,
o=e.layout||n===PA||n===BA,s,u,l,c,f,d,h,p=n===NA||o||i,g=nre(e.from,r,t);u=t.add(Ite({key:g.key||(e.key?wd(e.key):void 0),pulse:g.pulse,clean:!r}));let m=ue(u);
u=l=t.add(Zr({pulse:m})),u=t.add(Gte({markdef:Vne(e),interactive:Xne(e.interactive,t),clip:Yne(e.clip,t),context:{$context:!0},groups:t.lookup(),parent:t.signals.
parent?t.signalRef("parent"):null,index:t.markpath(),pulse:ue(u)}));let y=ue(u);u=c=t.add(GD(UD(e.encode,e.type,n,e.style,t,{mod:!1,pulse:y}))),u.params.parent=
t.encode(),e.transform&&e.transform.forEach(E=>{let A=YA(E,t),S=A.metadata;(S.generates||S.changes)&&D("Mark transforms should not generate new data."),S.nomod||
(c.params.mod=!0),A.params.pulse=ue(u),t.add(u=A)}),e.sort&&(u=t.add(ene({sort:t.compareRef(e.sort),pulse:ue(u)})));let b=ue(u);(i||o)&&(o=t.add(VD({layout:t.objectProperty(
e.layout),legends:t.legends,mark:y,pulse:b})),d=ue(o));let x=t.add(WD({mark:y,pulse:d||b}));h=ue(x),r&&(p&&(s=t.operators,s.pop(),o&&s.pop()),t.pushState(b,d||h,
m),i?rre(e,t,g):p?ire(e,t,g):t.parse(e),t.popState(),p&&(o&&s.push(o),s.push(x))),a&&(h=are(a,h,t));let v=t.add(YD({pulse:h})),w=t.add(Ys({pulse:ue(v)},void 0,t.
parent()));e.name!=null&&(f=e.name,t.addData(f,new Hs(t,l,v,w)),e.on&&e.on.forEach(E=>{(E.insert||E.remove||E.toggle)&&D("Marks only support modify triggers."),
o$(E,t,f)}))}function are(e,t,n){let r=e.method,i=e.bound,a=e.separation,o={separation:vt(a)?n.signalRef(a.signal):a,method:vt(r)?n.signalRef(r.signal):r,pulse:t};
if(e.order&&(o.sort=n.compareRef({field:e.order})),i){let s=i.tolerance;o.boundTolerance=vt(s)?n.signalRef(s.signal):+s,o.boundScale=n.scaleRef(i.scale),o.boundOrient=
i.orient}return ue(n.add(Vte(o)))}function ore(e,t){let n=t.config.legend,r=e.encode||{},i=Hn(e,n),a=r.legend||{},o=a.name||void 0,s=a.interactive,u=a.style,l={},
c=0,f,d,h;qA.forEach(x=>e[x]?(l[x]=e[x],c=c||e[x]):0),c||D("Missing valid scale for legend.");let p=sre(e,t.scaleType(c)),g={title:e.title!=null,scales:l,type:p,
vgrad:p!=="symbol"&&i.isVertical()},m=ue(t.add(Zr(null,[g]))),y={enter:{x:{value:0},y:{value:0}}},b=ue(t.add(jte(d={type:p,scale:t.scaleRef(c),count:t.objectProperty(
i("tickCount")),limit:t.property(i("symbolLimit")),values:t.objectProperty(e.values),minstep:t.property(e.tickMinStep),formatType:t.property(e.formatType),formatSpecifier:t.
property(e.format)})));return p===dm?(h=[Rne(e,c,n,r.gradient),SD(e,n,r.labels,b)],d.count=d.count||t.signalRef(`max(2,2*floor((${Gs(i.gradientLength())})/100))`)):
p===RA?h=[One(e,c,n,r.gradient,b),SD(e,n,r.labels,b)]:(f=Ine(e,n),h=[Pne(e,n,r,b,Gs(f.columns))],d.size=cre(e,t,h[0].marks)),h=[Ed({role:ate,from:m,encode:y,marks:h,
layout:f,interactive:s})],g.title&&h.push(Hne(e,n,r.title,m)),Am(Ed({role:rte,from:m,encode:Rl(lre(i,e,n),a,Cd),marks:h,aria:i("aria"),description:i("descriptio\
n"),zindex:i("zindex"),name:o,interactive:s,style:u}),t)}function sre(e,t){let n=e.type||ED;return!e.type&&ure(e)===1&&(e.fill||e.stroke)&&(n=sf(t)?dm:N0(t)?RA:
ED),n!==dm?n:N0(t)?RA:dm}function ure(e){return qA.reduce((t,n)=>t+(e[n]?1:0),0)}function lre(e,t,n){let r={enter:{},update:{}};return Zt(r,{orient:e("orient"),
offset:e("offset"),padding:e("padding"),titlePadding:e("titlePadding"),cornerRadius:e("cornerRadius"),fill:e("fillColor"),stroke:e("strokeColor"),strokeWidth:n.
strokeWidth,strokeDash:n.strokeDash,x:e("legendX"),y:e("legendY"),format:t.format,formatType:t.formatType}),r}function cre(e,t,n){let r=Gs($D("size",e,n)),i=Gs(
$D("strokeWidth",e,n)),a=Gs(fre(n[1].encode,t,Sd));return Xr(`max(ceil(sqrt(${r})+${i}),${a})`,t)}function $D(e,t,n){return t[e]?`scale("${t[e]}",datum)`:t$(e,n[0].
encode)}function fre(e,t,n){return t$("fontSize",e)||$ne("fontSize",t,n)}var dre=`item.orient==="${Ol}"?-90:item.orient==="${Nl}"?90:0`;function hre(e,t){e=X(e)?
{text:e}:e;let n=Hn(e,t.config.title),r=e.encode||{},i=r.group||{},a=i.name||void 0,o=i.interactive,s=i.style,u=[],l={},c=ue(t.add(Zr(null,[l])));return u.push(
mre(e,n,pre(e),c)),e.subtitle&&u.push(yre(e,n,r.subtitle,c)),Am(Ed({role:lte,from:c,encode:gre(n,i),marks:u,aria:n("aria"),description:n("description"),zindex:n(
"zindex"),name:a,interactive:o,style:s}),t)}function pre(e){let t=e.encode;return t&&t.title||oe({name:e.name,interactive:e.interactive,style:e.style},t)}function gre(e,t){
let n={enter:{},update:{}};return Zt(n,{orient:e("orient"),anchor:e("anchor"),align:{signal:WA},angle:{signal:dre},limit:e("limit"),frame:e("frame"),offset:e("o\
ffset")||0,padding:e("subtitlePadding")}),Rl(n,t,Cd)}function mre(e,t,n,r){let i={value:0},a=e.text,o={enter:{opacity:i},update:{opacity:{value:1}},exit:{opacity:i}};
return Zt(o,{text:a,align:{signal:"item.mark.group.align"},angle:{signal:"item.mark.group.angle"},limit:{signal:"item.mark.group.limit"},baseline:"top",dx:t("dx"),
dy:t("dy"),fill:t("color"),font:t("font"),fontSize:t("fontSize"),fontStyle:t("fontStyle"),fontWeight:t("fontWeight"),lineHeight:t("lineHeight")},{align:t("align"),
angle:t("angle"),baseline:t("baseline")}),fr({type:Vs,role:cte,style:Ane,from:r,encode:o},n)}function yre(e,t,n,r){let i={value:0},a=e.subtitle,o={enter:{opacity:i},
update:{opacity:{value:1}},exit:{opacity:i}};return Zt(o,{text:a,align:{signal:"item.mark.group.align"},angle:{signal:"item.mark.group.angle"},limit:{signal:"it\
em.mark.group.limit"},baseline:"top",dx:t("dx"),dy:t("dy"),fill:t("subtitleColor"),font:t("subtitleFont"),fontSize:t("subtitleFontSize"),fontStyle:t("subtitleFo\
ntStyle"),fontWeight:t("subtitleFontWeight"),lineHeight:t("subtitleLineHeight")},{align:t("align"),angle:t("angle"),baseline:t("baseline")}),fr({type:Vs,role:fte,
style:Ene,from:r,encode:o},n)}function bre(e,t){let n=[];e.transform&&e.transform.forEach(r=>{n.push(YA(r,t))}),e.on&&e.on.forEach(r=>{o$(r,t,e.name)}),t.addDataPipeline(
e.name,xre(e,t,n))}function xre(e,t,n){let r=[],i=null,a=!1,o=!1,s,u,l,c,f;for(e.values?vt(e.values)||cm(e.format)?(r.push(TD(t,e)),r.push(i=Ws())):r.push(i=Ws(
{$ingest:e.values,$format:e.format})):e.url?cm(e.url)||cm(e.format)?(r.push(TD(t,e)),r.push(i=Ws())):r.push(i=Ws({$request:e.url,$format:e.format})):e.source&&(i=
s=H(e.source).map(d=>ue(t.getData(d).output)),r.push(null)),u=0,l=n.length;u<l;++u)c=n[u],f=c.metadata,!i&&!f.source&&r.push(i=Ws()),r.push(c),f.generates&&(o=!0),
f.modifies&&!o&&(a=!0),f.source?i=c:f.changes&&(i=null);return s&&(l=s.length-1,r[0]=Zte({derive:a,pulse:l?s:s[0]}),(a||l)&&r.splice(1,0,Ws())),i||r.push(Ws()),
r.push(Ys({})),r}function Ws(e){let t=Zr({},e);return t.metadata={source:!0},t}function TD(e,t){return Wte({url:t.url?e.property(t.url):void 0,async:t.async?e.property(
t.async):void 0,values:t.values?e.property(t.values):void 0,format:e.objectProperty(t.format)})}var s$=e=>e===No||e===Jr,Em=(e,t,n)=>vt(e)?Ere(e.signal,t,n):e===
Ol||e===Jr?t:n,qt=(e,t,n)=>vt(e)?wre(e.signal,t,n):s$(e)?t:n,Qr=(e,t,n)=>vt(e)?Are(e.signal,t,n):s$(e)?n:t,u$=(e,t,n)=>vt(e)?Sre(e.signal,t,n):e===Jr?{value:t}:
{value:n},vre=(e,t,n)=>vt(e)?Cre(e.signal,t,n):e===Nl?{value:t}:{value:n},wre=(e,t,n)=>l$(`${e} === '${Jr}' || ${e} === '${No}'`,t,n),Are=(e,t,n)=>l$(`${e} !== \
'${Jr}' && ${e} !== '${No}'`,t,n),Ere=(e,t,n)=>VA(`${e} === '${Ol}' || ${e} === '${Jr}'`,t,n),Sre=(e,t,n)=>VA(`${e} === '${Jr}'`,t,n),Cre=(e,t,n)=>VA(`${e} === \
'${Nl}'`,t,n),l$=(e,t,n)=>(t=t!=null?Ut(t):t,n=n!=null?Ut(n):n,RD(t)&&RD(n)?(t=t?t.signal||I(t.value):null,n=n?n.signal||I(n.value):null,{signal:`${e} ? (${t}) \
: (${n})`}):[oe({test:e},t)].concat(n||[])),RD=e=>e==null||Object.keys(e).length===1,VA=(e,t,n)=>({signal:`${e} ? (${Dl(t)}) : (${Dl(n)})`}),_re=(e,t,n,r,i)=>({
signal:(r!=null?`${e} === '${Ol}' ? (${Dl(r)}) : `:"")+(n!=null?`${e} === '${No}' ? (${Dl(n)}) : `:"")+(i!=null?`${e} === '${Nl}' ? (${Dl(i)}) : `:"")+(t!=null?
`${e} === '${Jr}' ? (${Dl(t)}) : `:"")+"(null)"}),Dl=e=>vt(e)?e.signal:e==null?null:I(e),kre=(e,t)=>t===0?0:vt(e)?{signal:`(${e.signal}) * ${t}`}:{value:e*t},$l=(e,t)=>{
let n=e.signal;return n&&n.endsWith("(null)")?{signal:n.slice(0,-6)+t.signal}:e};function Fl(e,t,n,r){let i;if(t&&Y(t,e))return t[e];if(Y(n,e))return n[e];if(e.
startsWith("title")){switch(e){case"titleColor":i="fill";break;case"titleFont":case"titleFontSize":case"titleFontWeight":i=e[5].toLowerCase()+e.slice(6)}return r[UA][i]}else if(e.
startsWith("label")){switch(e){case"labelColor":i="fill";break;case"labelFont":case"labelFontSize":i=e[5].toLowerCase()+e.slice(6)}return r[Sd][i]}return null}function OD(e){
let t={};for(let n of e)if(n)for(let r in n)t[r]=1;return Object.keys(t)}function Fre(e,t){var n=t.config,r=n.style,i=n.axis,a=t.scaleType(e.scale)==="band"&&n.
axisBand,o=e.orient,s,u,l;if(vt(o)){let f=OD([n.axisX,n.axisY]),d=OD([n.axisTop,n.axisBottom,n.axisLeft,n.axisRight]);s={};for(l of f)s[l]=qt(o,Fl(l,n.axisX,i,r),
Fl(l,n.axisY,i,r));u={};for(l of d)u[l]=_re(o.signal,Fl(l,n.axisTop,i,r),Fl(l,n.axisBottom,i,r),Fl(l,n.axisLeft,i,r),Fl(l,n.axisRight,i,r))}else s=o===Jr||o===No?
n.axisX:n.axisY,u=n["axis"+o[0].toUpperCase()+o.slice(1)];return s||u||a?oe({},i,s,u,a):i}function Mre(e,t,n,r){let i=Hn(e,t),a=e.orient,o,s,u={enter:o={opacity:ke},
update:s={opacity:Fr},exit:{opacity:ke}};Zt(u,{stroke:i("domainColor"),strokeCap:i("domainCap"),strokeDash:i("domainDash"),strokeDashOffset:i("domainDashOffset"),
strokeWidth:i("domainWidth"),strokeOpacity:i("domainOpacity")});let l=ND(e,0),c=ND(e,1);return o.x=s.x=qt(a,l,ke),o.x2=s.x2=qt(a,c),o.y=s.y=Qr(a,l,ke),o.y2=s.y2=
Qr(a,c),fr({type:jA,role:Zee,from:r,encode:u},n)}function ND(e,t){return{scale:e.scale,range:t}}function Dre(e,t,n,r,i){let a=Hn(e,t),o=e.orient,s=e.gridScale,u=Em(
o,1,-1),l=$re(e.offset,u),c,f,d,h={enter:c={opacity:ke},update:d={opacity:Fr},exit:f={opacity:ke}};Zt(h,{stroke:a("gridColor"),strokeCap:a("gridCap"),strokeDash:a(
"gridDash"),strokeDashOffset:a("gridDashOffset"),strokeOpacity:a("gridOpacity"),strokeWidth:a("gridWidth")});let p={scale:e.scale,field:kr,band:i.band,extra:i.extra,
offset:i.offset,round:a("tickRound")},g=qt(o,{signal:"height"},{signal:"width"}),m=s?{scale:s,range:0,mult:u,offset:l}:{value:0,offset:l},y=s?{scale:s,range:1,mult:u,
offset:l}:oe(g,{mult:u,offset:l});return c.x=d.x=qt(o,p,m),c.y=d.y=Qr(o,p,m),c.x2=d.x2=Qr(o,y),c.y2=d.y2=qt(o,y),f.x=qt(o,p),f.y=Qr(o,p),fr({type:jA,role:Jee,key:kr,
from:r,encode:h},n)}function $re(e,t){if(t!==1)if(!V(e))e=vt(t)?{signal:`(${t.signal}) * (${e||0})`}:t*(e||0);else{let n=e=oe({},e);for(;n.mult!=null;)if(V(n.mult))
n=n.mult=oe({},n.mult);else return n.mult=vt(t)?{signal:`(${n.mult}) * (${t.signal})`}:n.mult*t,e;n.mult=t}return e}function Tre(e,t,n,r,i,a){let o=Hn(e,t),s=e.
orient,u=Em(s,-1,1),l,c,f,d={enter:l={opacity:ke},update:f={opacity:Fr},exit:c={opacity:ke}};Zt(d,{stroke:o("tickColor"),strokeCap:o("tickCap"),strokeDash:o("ti\
ckDash"),strokeDashOffset:o("tickDashOffset"),strokeOpacity:o("tickOpacity"),strokeWidth:o("tickWidth")});let h=Ut(i);h.mult=u;let p={scale:e.scale,field:kr,band:a.
band,extra:a.extra,offset:a.offset,round:o("tickRound")};return f.y=l.y=qt(s,ke,p),f.y2=l.y2=qt(s,h),c.x=qt(s,p),f.x=l.x=Qr(s,ke,p),f.x2=l.x2=Qr(s,h),c.y=Qr(s,p),
fr({type:jA,role:tte,key:kr,from:r,encode:d},n)}function kA(e,t,n,r,i){return{signal:'flush(range("'+e+'"), scale("'+e+'", datum.value), '+t+","+n+","+r+","+i+"\
)"}}function Rre(e,t,n,r,i,a){let o=Hn(e,t),s=e.orient,u=e.scale,l=Em(s,-1,1),c=Gs(o("labelFlush")),f=Gs(o("labelFlushOffset")),d=o("labelAlign"),h=o("labelBase\
line"),p=c===0||!!c,g,m=Ut(i);m.mult=l,m.offset=Ut(o("labelPadding")||0),m.offset.mult=l;let y={scale:u,field:kr,band:.5,offset:n$(a.offset,o("labelOffset"))},b=qt(
s,p?kA(u,c,'"left"','"right"','"center"'):{value:"center"},vre(s,"left","right")),x=qt(s,u$(s,"bottom","top"),p?kA(u,c,'"top"','"bottom"','"middle"'):{value:"mi\
ddle"}),v=kA(u,c,`-(${f})`,f,0);p=p&&f;let w={opacity:ke,x:qt(s,y,m),y:Qr(s,y,m)},E={enter:w,update:g={opacity:Fr,text:{field:LA},x:w.x,y:w.y,align:b,baseline:x},
exit:{opacity:ke,x:w.x,y:w.y}};Zt(E,{dx:!d&&p?qt(s,v):null,dy:!h&&p?Qr(s,v):null}),Zt(E,{angle:o("labelAngle"),fill:o("labelColor"),fillOpacity:o("labelOpacity"),
font:o("labelFont"),fontSize:o("labelFontSize"),fontWeight:o("labelFontWeight"),fontStyle:o("labelFontStyle"),limit:o("labelLimit"),lineHeight:o("labelLineHeigh\
t")},{align:d,baseline:h});let A=o("labelBound"),S=o("labelOverlap");return S=S||A?{separation:o("labelSeparation"),method:S,order:"datum.index",bound:A?{scale:u,
orient:s,tolerance:A}:null}:void 0,g.align!==b&&(g.align=$l(g.align,b)),g.baseline!==x&&(g.baseline=$l(g.baseline,x)),fr({type:Vs,role:ete,style:Sd,key:kr,from:r,
encode:E,overlap:S},n)}function Ore(e,t,n,r){let i=Hn(e,t),a=e.orient,o=Em(a,-1,1),s,u,l={enter:s={opacity:ke,anchor:Ut(i("titleAnchor",null)),align:{signal:WA}},
update:u=oe({},s,{opacity:Fr,text:Ut(e.title)}),exit:{opacity:ke}},c={signal:`lerp(range("${e.scale}"), ${vm(0,1,.5)})`};return u.x=qt(a,c),u.y=Qr(a,c),s.angle=
qt(a,ke,kre(o,90)),s.baseline=qt(a,u$(a,No,Jr),{value:No}),u.angle=s.angle,u.baseline=s.baseline,Zt(l,{fill:i("titleColor"),fillOpacity:i("titleOpacity"),font:i(
"titleFont"),fontSize:i("titleFontSize"),fontStyle:i("titleFontStyle"),fontWeight:i("titleFontWeight"),limit:i("titleLimit"),lineHeight:i("titleLineHeight")},{align:i(
"titleAlign"),angle:i("titleAngle"),baseline:i("titleBaseline")}),Nre(i,a,l,n),l.update.align=$l(l.update.align,s.align),l.update.angle=$l(l.update.angle,s.angle),
l.update.baseline=$l(l.update.baseline,s.baseline),fr({type:Vs,role:nte,style:UA,from:r,encode:l},n)}function Nre(e,t,n,r){let i=(s,u)=>s!=null?(n.update[u]=$l(
Ut(s),n.update[u]),!1):!Ml(u,r),a=i(e("titleX"),"x"),o=i(e("titleY"),"y");n.enter.auto=o===a?Ut(o):qt(t,Ut(o),Ut(a))}function Bre(e,t){let n=Fre(e,t),r=e.encode||
{},i=r.axis||{},a=i.name||void 0,o=i.interactive,s=i.style,u=Hn(e,n),l=Tne(u),c={scale:e.scale,ticks:!!u("ticks"),labels:!!u("labels"),grid:!!u("grid"),domain:!!u(
"domain"),title:e.title!=null},f=ue(t.add(Zr({},[c]))),d=ue(t.add(Pte({scale:t.scaleRef(e.scale),extra:t.property(l.extra),count:t.objectProperty(e.tickCount),values:t.
objectProperty(e.values),minstep:t.property(e.tickMinStep),formatType:t.property(e.formatType),formatSpecifier:t.property(e.format)}))),h=[],p;return c.grid&&h.
push(Dre(e,n,r.grid,d,l)),c.ticks&&(p=u("tickSize"),h.push(Tre(e,n,r.ticks,d,p,l))),c.labels&&(p=c.ticks?p:0,h.push(Rre(e,n,r.labels,d,p,l))),c.domain&&h.push(Mre(
e,n,r.domain,f)),c.title&&h.push(Ore(e,n,r.title,f)),Am(Ed({role:Qee,from:f,encode:Rl(Pre(u,e),i,Cd),marks:h,aria:u("aria"),description:u("description"),zindex:u(
"zindex"),name:a,interactive:o,style:s}),t)}function Pre(e,t){let n={enter:{},update:{}};return Zt(n,{orient:e("orient"),offset:e("offset")||0,position:Kr(t.position,
0),titlePadding:e("titlePadding"),minExtent:e("minExtent"),maxExtent:e("maxExtent"),range:{signal:`abs(span(range("${t.scale}")))`},translate:e("translate"),format:t.
format,formatType:t.formatType}),n}function c$(e,t,n){let r=H(e.signals),i=H(e.scales);return n||r.forEach(a=>qD(a,t)),H(e.projections).forEach(a=>gne(a,t)),i.forEach(
a=>rne(a,t)),H(e.data).forEach(a=>bre(a,t)),i.forEach(a=>ine(a,t)),(n||r).forEach(a=>Bte(a,t)),H(e.axes).forEach(a=>Bre(a,t)),H(e.marks).forEach(a=>Am(a,t)),H(e.
legends).forEach(a=>ore(a,t)),e.title&&hre(e.title,t),t.parseLambdas(),t}var Ire=e=>Rl({enter:{x:{value:0},y:{value:0}},update:{width:{signal:"width"},height:{signal:"\
height"}}},e);function zre(e,t){let n=t.config,r=ue(t.root=t.add(pm())),i=Lre(e,n);i.forEach(l=>qD(l,t)),t.description=e.description||n.description,t.eventConfig=
n.events,t.legends=t.objectProperty(n.legend&&n.legend.layout),t.locale=n.locale;let a=t.add(Zr()),o=t.add(GD(UD(Ire(e.encode),xm,BA,e.style,t,{pulse:ue(a)}))),
s=t.add(VD({layout:t.objectProperty(e.layout),legends:t.legends,autosize:t.signalRef("autosize"),mark:r,pulse:ue(o)}));t.operators.pop(),t.pushState(ue(o),ue(s),
null),c$(e,t,i),t.operators.push(s);let u=t.add(WD({mark:r,pulse:ue(s)}));return u=t.add(YD({pulse:ue(u)})),u=t.add(Ys({pulse:ue(u)})),t.addData("root",new Hs(t,
a,a,u)),t}function vd(e,t){return t&&t.signal?{name:e,update:t.signal}:{name:e,value:t}}function Lre(e,t){let n=o=>Kr(e[o],t[o]),r=[vd("background",n("backgroun\
d")),vd("autosize",Vee(n("autosize"))),vd("padding",Kee(n("padding"))),vd("width",n("width")||0),vd("height",n("height")||0)],i=r.reduce((o,s)=>(o[s.name]=s,o),
{}),a={};return H(e.signals).forEach(o=>{Y(i,o.name)?o=oe(i[o.name],o):r.push(o),a[o.name]=o}),H(t.signals).forEach(o=>{!Y(a,o.name)&&!Y(i,o.name)&&r.push(o)}),
r}function f$(e,t){this.config=e||{},this.options=t||{},this.bindings=[],this.field={},this.signals={},this.lambdas={},this.scales={},this.events={},this.data={},
this.streams=[],this.updates=[],this.operators=[],this.eventConfig=null,this.locale=null,this._id=0,this._subid=0,this._nextsub=[0],this._parent=[],this._encode=
[],this._lookup=[],this._markpath=[]}function BD(e){this.config=e.config,this.options=e.options,this.legends=e.legends,this.field=Object.create(e.field),this.signals=
Object.create(e.signals),this.lambdas=Object.create(e.lambdas),this.scales=Object.create(e.scales),this.events=Object.create(e.events),this.data=Object.create(e.
data),this.streams=[],this.updates=[],this.operators=[],this._id=0,this._subid=++e._nextsub[0],this._nextsub=e._nextsub,this._parent=e._parent.slice(),this._encode=
e._encode.slice(),this._lookup=e._lookup.slice(),this._markpath=e._markpath}f$.prototype=BD.prototype={parse(e){return c$(e,this)},fork(){return new BD(this)},isSubscope(){
return this._subid>0},toRuntime(){return this.finish(),{description:this.description,operators:this.operators,streams:this.streams,updates:this.updates,bindings:this.
bindings,eventConfig:this.eventConfig,locale:this.locale}},id(){return(this._subid?this._subid+":":0)+this._id++},add(e){return this.operators.push(e),e.id=this.
id(),e.refs&&(e.refs.forEach(t=>{t.$ref=e.id}),e.refs=null),e},proxy(e){let t=e instanceof FA?ue(e):e;return this.add(Qte({value:t}))},addStream(e){return this.
streams.push(e),e.id=this.id(),e},addUpdate(e){return this.updates.push(e),e},finish(){let e,t;this.root&&(this.root.root=!0);for(e in this.signals)this.signals[e].
signal=e;for(e in this.scales)this.scales[e].scale=e;function n(r,i,a){let o,s;r&&(o=r.data||(r.data={}),s=o[i]||(o[i]=[]),s.push(a))}for(e in this.data){t=this.
data[e],n(t.input,e,"input"),n(t.output,e,"output"),n(t.values,e,"values");for(let r in t.index)n(t.index[r],e,"index:"+r)}return this},pushState(e,t,n){this._encode.
push(ue(this.add(Ys({pulse:e})))),this._parent.push(t),this._lookup.push(n?ue(this.proxy(n)):null),this._markpath.push(-1)},popState(){this._encode.pop(),this._parent.
pop(),this._lookup.pop(),this._markpath.pop()},parent(){return fe(this._parent)},encode(){return fe(this._encode)},lookup(){return fe(this._lookup)},markpath(){
let e=this._markpath;return++e[e.length-1]},fieldRef(e,t){if(X(e))return wd(e,t);e.signal||D("Unsupported field reference: "+I(e));let n=e.signal,r=this.field[n];
if(!r){let i={name:this.signalRef(n)};t&&(i.as=t),this.field[n]=r=ue(this.add(Ute(i)))}return r},compareRef(e){let t=!1,n=a=>vt(a)?(t=!0,this.signalRef(a.signal)):
_te(a)?(t=!0,this.exprRef(a.expr)):a,r=H(e.field).map(n),i=H(e.order).map(n);return t?ue(this.add(AD({fields:r,orders:i}))):vD(r,i)},keyRef(e,t){let n=!1,r=a=>vt(
a)?(n=!0,ue(i[a.signal])):a,i=this.signals;return e=H(e).map(r),n?ue(this.add(qte({fields:e,flat:t}))):Ate(e,t)},sortRef(e){if(!e)return e;let t=ym(e.op,e.field),
n=e.order||Ete;return n.signal?ue(this.add(AD({fields:t,orders:this.signalRef(n.signal)}))):vD(t,n)},event(e,t){let n=e+":"+t;if(!this.events[n]){let r=this.id();
this.streams.push({id:r,source:e,type:t}),this.events[n]=r}return this.events[n]},hasOwnSignal(e){return Y(this.signals,e)},addSignal(e,t){this.hasOwnSignal(e)&&
D("Duplicate signal name: "+I(e));let n=t instanceof FA?t:this.add(pm(t));return this.signals[e]=n},getSignal(e){return this.signals[e]||D("Unrecognized signal \
name: "+I(e)),this.signals[e]},signalRef(e){return this.signals[e]?ue(this.signals[e]):(Y(this.lambdas,e)||(this.lambdas[e]=this.add(pm(null))),ue(this.lambdas[e]))},
parseLambdas(){let e=Object.keys(this.lambdas);for(let t=0,n=e.length;t<n;++t){let r=e[t],i=Xr(r,this),a=this.lambdas[r];a.params=i.$params,a.update=i.$expr}},property(e){
return e&&e.signal?this.signalRef(e.signal):e},objectProperty(e){return!e||!V(e)?e:this.signalRef(e.signal||XA(e))},exprRef(e,t){let n={expr:Xr(e,this)};return t&&
(n.expr.$name=t),ue(this.add(zte(n)))},addBinding(e,t){this.bindings||D("Nested signals do not support binding: "+I(e)),this.bindings.push(oe({signal:e},t))},addScaleProj(e,t){
Y(this.scales,e)&&D("Duplicate scale or projection name: "+I(e)),this.scales[e]=this.add(t)},addScale(e,t){this.addScaleProj(e,Jte(t))},addProjection(e,t){this.
addScaleProj(e,Kte(t))},getScale(e){return this.scales[e]||D("Unrecognized scale name: "+I(e)),this.scales[e]},scaleRef(e){return ue(this.getScale(e))},scaleType(e){
return this.getScale(e).params.type},projectionRef(e){return this.scaleRef(e)},projectionType(e){return this.scaleType(e)},addData(e,t){return Y(this.data,e)&&D(
"Duplicate data set name: "+I(e)),this.data[e]=t},getData(e){return this.data[e]||D("Undefined data set name: "+I(e)),this.data[e]},addDataPipeline(e,t){return Y(
this.data,e)&&D("Duplicate data set name: "+I(e)),this.addData(e,Hs.fromEntries(this,t))}};function XA(e){return(R(e)?Ure:qre)(e)}function Ure(e){let t=e.length,
n="[";for(let r=0;r<t;++r){let i=e[r];n+=(r>0?",":"")+(V(i)?i.signal||XA(i):I(i))}return n+"]"}function qre(e){let t="{",n=0,r,i;for(r in e)i=e[r],t+=(++n>1?",":
"")+I(r)+":"+(V(i)?i.signal||XA(i):I(i));return t+"}"}function jre(){let e="sans-serif",r="#4c78a8",i="#000",a="#888",o="#ddd";return{description:"Vega visualiz\
ation",padding:0,autosize:"pad",background:null,events:{defaults:{allow:["wheel"]}},group:null,mark:null,arc:{fill:r},area:{fill:r},image:null,line:{stroke:r,strokeWidth:2},
path:{stroke:r},rect:{fill:r},rule:{stroke:i},shape:{stroke:r},symbol:{fill:r,size:64},text:{fill:i,font:e,fontSize:11},trail:{fill:r,size:2},style:{"guide-labe\
l":{fill:i,font:e,fontSize:10},"guide-title":{fill:i,font:e,fontSize:11,fontWeight:"bold"},"group-title":{fill:i,font:e,fontSize:13,fontWeight:"bold"},"group-su\
btitle":{fill:i,font:e,fontSize:12},point:{size:30,strokeWidth:2,shape:"circle"},circle:{size:30,strokeWidth:2},square:{size:30,strokeWidth:2,shape:"square"},cell:{
fill:"transparent",stroke:o},view:{fill:"transparent"}},title:{orient:"top",anchor:"middle",offset:4,subtitlePadding:3},axis:{minExtent:0,maxExtent:200,bandPosition:.5,
domain:!0,domainWidth:1,domainColor:a,grid:!1,gridWidth:1,gridColor:o,labels:!0,labelAngle:0,labelLimit:180,labelOffset:0,labelPadding:2,ticks:!0,tickColor:a,tickOffset:0,
tickRound:!0,tickSize:5,tickWidth:1,titlePadding:4},axisBand:{tickOffset:-.5},projection:{type:"mercator"},legend:{orient:"right",padding:0,gridAlign:"each",columnPadding:10,
rowPadding:2,symbolDirection:"vertical",gradientDirection:"vertical",gradientLength:200,gradientThickness:16,gradientStrokeColor:o,gradientStrokeWidth:0,gradientLabelOffset:2,
labelAlign:"left",labelBaseline:"middle",labelLimit:160,labelOffset:4,labelOverlap:!0,symbolLimit:30,symbolType:"circle",symbolSize:100,symbolOffset:0,symbolStrokeWidth:1.5,
symbolBaseFillColor:"transparent",symbolBaseStrokeColor:a,titleLimit:180,titleOrient:"top",titlePadding:5,layout:{offset:18,direction:"horizontal",left:{direction:"\
vertical"},right:{direction:"vertical"}}},range:{category:{scheme:"tableau10"},ordinal:{scheme:"blues"},heatmap:{scheme:"yellowgreenblue"},ramp:{scheme:"blues"},
diverging:{scheme:"blueorange",extent:[1,0]},symbol:["circle","square","triangle-up","cross","diamond","triangle-right","triangle-down","triangle-left"]}}}function KA(e,t,n){
return V(e)||D("Input Vega specification must be an object."),t=Eu(jre(),t,e.config),zre(e,new f$(t,n)).toRuntime()}oe(ro,Nb,B2,U2,Iv,Hv,Sw,hw,Fw,Rw,Bw,zw);function Wre(e,t,n){let r;t.x2&&(t.x?(n&&e.x>e.x2&&(r=e.x,e.x=e.x2,e.x2=r),e.width=e.x2-e.x):e.x=e.x2-(e.width||0)),t.xc&&(e.x=e.xc-(e.width||0)/2),t.y2&&(t.y?(n&&
e.y>e.y2&&(r=e.y,e.y=e.y2,e.y2=r),e.height=e.y2-e.y):e.y=e.y2-(e.height||0)),t.yc&&(e.y=e.yc-(e.height||0)/2)}var Gre={NaN:NaN,E:Math.E,LN2:Math.LN2,LN10:Math.LN10,
LOG2E:Math.LOG2E,LOG10E:Math.LOG10E,PI:Math.PI,SQRT1_2:Math.SQRT1_2,SQRT2:Math.SQRT2,MIN_VALUE:Number.MIN_VALUE,MAX_VALUE:Number.MAX_VALUE},Hre={"*":(e,t)=>e*t,
"+":(e,t)=>e+t,"-":(e,t)=>e-t,"/":(e,t)=>e/t,"%":(e,t)=>e%t,">":(e,t)=>e>t,"<":(e,t)=>e<t,"<=":(e,t)=>e<=t,">=":(e,t)=>e>=t,"==":(e,t)=>e==t,"!=":(e,t)=>e!=t,"=\
==":(e,t)=>e===t,"!==":(e,t)=>e!==t,"&":(e,t)=>e&t,"|":(e,t)=>e|t,"^":(e,t)=>e^t,"<<":(e,t)=>e<<t,">>":(e,t)=>e>>t,">>>":(e,t)=>e>>>t},Yre={"+":e=>+e,"-":e=>-e,
"~":e=>~e,"!":e=>!e},Vre=Array.prototype.slice,Xs=(e,t,n)=>{let r=n?n(t[0]):t[0];return r[e].apply(r,Vre.call(t,1))},Xre=(e,t=0,n=1,r=0,i=0,a=0,o=0)=>X(e)?new Date(
e):new Date(e,t,n,r,i,a,o),Kre={isNaN:Number.isNaN,isFinite:Number.isFinite,abs:Math.abs,acos:Math.acos,asin:Math.asin,atan:Math.atan,atan2:Math.atan2,ceil:Math.
ceil,cos:Math.cos,exp:Math.exp,floor:Math.floor,hypot:Math.hypot,log:Math.log,max:Math.max,min:Math.min,pow:Math.pow,random:Math.random,round:Math.round,sin:Math.
sin,sqrt:Math.sqrt,tan:Math.tan,clamp:(e,t,n)=>Math.max(t,Math.min(n,e)),now:Date.now,utc:Date.UTC,datetime:Xre,date:e=>new Date(e).getDate(),day:e=>new Date(e).
getDay(),year:e=>new Date(e).getFullYear(),month:e=>new Date(e).getMonth(),hours:e=>new Date(e).getHours(),minutes:e=>new Date(e).getMinutes(),seconds:e=>new Date(
e).getSeconds(),milliseconds:e=>new Date(e).getMilliseconds(),time:e=>new Date(e).getTime(),timezoneoffset:e=>new Date(e).getTimezoneOffset(),utcdate:e=>new Date(
e).getUTCDate(),utcday:e=>new Date(e).getUTCDay(),utcyear:e=>new Date(e).getUTCFullYear(),utcmonth:e=>new Date(e).getUTCMonth(),utchours:e=>new Date(e).getUTCHours(),
utcminutes:e=>new Date(e).getUTCMinutes(),utcseconds:e=>new Date(e).getUTCSeconds(),utcmilliseconds:e=>new Date(e).getUTCMilliseconds(),length:e=>e.length,join:function(){
return Xs("join",arguments)},indexof:function(){return Xs("indexOf",arguments)},lastindexof:function(){return Xs("lastIndexOf",arguments)},slice:function(){return Xs(
"slice",arguments)},reverse:e=>e.slice().reverse(),sort:e=>e.slice().sort(Zi),parseFloat,parseInt,upper:e=>String(e).toUpperCase(),lower:e=>String(e).toLowerCase(),
substring:function(){return Xs("substring",arguments,String)},split:function(){return Xs("split",arguments,String)},replace:function(){return Xs("replace",arguments,
String)},trim:e=>String(e).trim(),btoa:e=>btoa(e),atob:e=>atob(e),encodeURIComponent:e=>encodeURIComponent(e),regexp:RegExp,test:(e,t)=>RegExp(e).test(t)},Qre=[
"view","item","group","xy","x","y"],QA=new Set([Function,eval,setTimeout,setInterval]);typeof setImmediate=="function"&&QA.add(setImmediate);var Zre={Literal:(e,t)=>t.
regex&&t.value&&(t.value.global||t.value.sticky)?new RegExp(t.regex.pattern,t.regex.flags):t.value,Identifier:(e,t)=>{let n=t.name;return e.memberDepth>0?n:n===
"datum"?e.datum:n==="event"?e.event:n==="item"?e.item:Gre[n]||e.params["$"+n]},MemberExpression:(e,t)=>{let n=!t.computed,r=e(t.object);n&&(e.memberDepth+=1);let i=e(
t.property);if(n&&(e.memberDepth-=1),QA.has(r[i])){console.error(`Prevented interpretation of member "${i}" which could lead to insecure code execution`);return}
return r[i]},CallExpression:(e,t)=>{let n=t.arguments,r=t.callee.name;return r.startsWith("_")&&(r=r.slice(1)),r==="if"?e(n[0])?e(n[1]):e(n[2]):(e.fn[r]||Kre[r]).
apply(e.fn,n.map(e))},ArrayExpression:(e,t)=>t.elements.map(e),BinaryExpression:(e,t)=>Hre[t.operator](e(t.left),e(t.right)),UnaryExpression:(e,t)=>Yre[t.operator](
e(t.argument)),ConditionalExpression:(e,t)=>e(t.test)?e(t.consequent):e(t.alternate),LogicalExpression:(e,t)=>t.operator==="&&"?e(t.left)&&e(t.right):e(t.left)||
e(t.right),ObjectExpression:(e,t)=>t.properties.reduce((n,r)=>{e.memberDepth+=1;let i=e(r.key);e.memberDepth-=1;let a=e(r.value);return Au.has(i)?console.error(
`Prevented interpretation of property "${i}" which could lead to insecure code execution`):QA.has(a)?console.error(`Prevented interpretation of method "${i}" wh\
ich could lead to insecure code execution`):n[i]=a,n},{})};function _d(e,t,n,r,i,a){let o=s=>Zre[s.type](o,s);return o.memberDepth=0,o.fn=Object.create(t),o.params=
n,o.datum=r,o.event=i,o.item=a,Qre.forEach(s=>o.fn[s]=(...u)=>i.vega[s](...u)),o(e)}var d$={operator(e,t){let n=t.ast,r=e.functions;return i=>_d(n,r,i)},parameter(e,t){
let n=t.ast,r=e.functions;return(i,a)=>_d(n,r,a,i)},event(e,t){let n=t.ast,r=e.functions;return i=>_d(n,r,void 0,void 0,i)},handler(e,t){let n=t.ast,r=e.functions;
return(i,a)=>{let o=a.item&&a.item.datum;return _d(n,r,i,o,a)}},encode(e,t){let{marktype:n,channels:r}=t,i=e.functions,a=n==="group"||n==="image"||n==="rect";return(o,s)=>{
let u=o.datum,l=0,c;for(let f in r)c=_d(r[f].ast,i,s,u,void 0,o),o[f]!==c&&(o[f]=c,l=1);return n!=="rule"&&Wre(o,r,a),l}}};var Jre="RawCode",eie="Literal",tie="Property",nie="Identifier",rie="ArrayExpression",iie="BinaryExpression",aie="CallExpression",oie="ConditionalExpression",sie="\
LogicalExpression",uie="MemberExpression",lie="ObjectExpression",cie="UnaryExpression";function ei(e){this.type=e}ei.prototype.visit=function(e){let t,n,r;if(e(
this))return 1;for(t=fie(this),n=0,r=t.length;n<r;++n)if(t[n].visit(e))return 1};function fie(e){switch(e.type){case rie:return e.elements;case iie:case sie:return[
e.left,e.right];case aie:return[e.callee].concat(e.arguments);case oie:return[e.test,e.consequent,e.alternate];case uie:return[e.object,e.property];case lie:return e.
properties;case tie:return[e.key,e.value];case cie:return[e.argument];case nie:case eie:case Jre:default:return[]}}var Bi,te,B,mn,Pe,_m=1,$d=2,Ks=3,Bo=4,km=5,Zs=6,
Yn=7,Td=8,die=9;Bi={};Bi[_m]="Boolean";Bi[$d]="<end>";Bi[Ks]="Identifier";Bi[Bo]="Keyword";Bi[km]="Null";Bi[Zs]="Numeric";Bi[Yn]="Punctuator";Bi[Td]="String";Bi[die]=
"RegularExpression";var hie="ArrayExpression",pie="BinaryExpression",gie="CallExpression",mie="ConditionalExpression",v$="Identifier",yie="Literal",bie="Logical\
Expression",xie="MemberExpression",vie="ObjectExpression",wie="Property",Aie="UnaryExpression",jt="Unexpected token %0",Eie="Unexpected number",Sie="Unexpected \
string",Cie="Unexpected identifier",_ie="Unexpected reserved word",kie="Unexpected end of input",tE="Invalid regular expression",ZA="Invalid regular expression:\
 missing /",w$="Octal literals are not allowed in strict mode.",Fie="Duplicate data property in object literal not allowed in strict mode",Jt="ILLEGAL",Md="Disa\
bled.",Mie=new RegExp("[\\xAA\\xB5\\xBA\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02C1\\u02C6-\\u02D1\\u02E0-\\u02E4\\u02EC\\u02EE\\u0370-\\u0374\\u0376\\u0377\\u037A-\\u037D\\u037F\\u0386\\u0388-\
\\u038A\\u038C\\u038E-\\u03A1\\u03A3-\\u03F5\\u03F7-\\u0481\\u048A-\\u052F\\u0531-\\u0556\\u0559\\u0561-\\u0587\\u05D0-\\u05EA\\u05F0-\\u05F2\\u0620-\\u064A\\u066E\\u066F\\u0671-\\u06D3\
\\u06D5\\u06E5\\u06E6\\u06EE\\u06EF\\u06FA-\\u06FC\\u06FF\\u0710\\u0712-\\u072F\\u074D-\\u07A5\\u07B1\\u07CA-\\u07EA\\u07F4\\u07F5\\u07FA\\u0800-\\u0815\\u081A\\u0824\\u0828\\u0840-\\u08\
58\\u08A0-\\u08B2\\u0904-\\u0939\\u093D\\u0950\\u0958-\\u0961\\u0971-\\u0980\\u0985-\\u098C\\u098F\\u0990\\u0993-\\u09A8\\u09AA-\\u09B0\\u09B2\\u09B6-\\u09B9\\u09BD\\u09CE\\u09DC\\u09DD\
\\u09DF-\\u09E1\\u09F0\\u09F1\\u0A05-\\u0A0A\\u0A0F\\u0A10\\u0A13-\\u0A28\\u0A2A-\\u0A30\\u0A32\\u0A33\\u0A35\\u0A36\\u0A38\\u0A39\\u0A59-\\u0A5C\\u0A5E\\u0A72-\\u0A74\\u0A85-\\u0A8D\\u0\
A8F-\\u0A91\\u0A93-\\u0AA8\\u0AAA-\\u0AB0\\u0AB2\\u0AB3\\u0AB5-\\u0AB9\\u0ABD\\u0AD0\\u0AE0\\u0AE1\\u0B05-\\u0B0C\\u0B0F\\u0B10\\u0B13-\\u0B28\\u0B2A-\\u0B30\\u0B32\\u0B33\\u0B35-\\u0B3\
9\\u0B3D\\u0B5C\\u0B5D\\u0B5F-\\u0B61\\u0B71\\u0B83\\u0B85-\\u0B8A\\u0B8E-\\u0B90\\u0B92-\\u0B95\\u0B99\\u0B9A\\u0B9C\\u0B9E\\u0B9F\\u0BA3\\u0BA4\\u0BA8-\\u0BAA\\u0BAE-\\u0BB9\\u0BD0\\u0\
C05-\\u0C0C\\u0C0E-\\u0C10\\u0C12-\\u0C28\\u0C2A-\\u0C39\\u0C3D\\u0C58\\u0C59\\u0C60\\u0C61\\u0C85-\\u0C8C\\u0C8E-\\u0C90\\u0C92-\\u0CA8\\u0CAA-\\u0CB3\\u0CB5-\\u0CB9\\u0CBD\\u0CDE\\u0C\
E0\\u0CE1\\u0CF1\\u0CF2\\u0D05-\\u0D0C\\u0D0E-\\u0D10\\u0D12-\\u0D3A\\u0D3D\\u0D4E\\u0D60\\u0D61\\u0D7A-\\u0D7F\\u0D85-\\u0D96\\u0D9A-\\u0DB1\\u0DB3-\\u0DBB\\u0DBD\\u0DC0-\\u0DC6\\u0E01\
-\\u0E30\\u0E32\\u0E33\\u0E40-\\u0E46\\u0E81\\u0E82\\u0E84\\u0E87\\u0E88\\u0E8A\\u0E8D\\u0E94-\\u0E97\\u0E99-\\u0E9F\\u0EA1-\\u0EA3\\u0EA5\\u0EA7\\u0EAA\\u0EAB\\u0EAD-\\u0EB0\\u0EB2\\u0E\
B3\\u0EBD\\u0EC0-\\u0EC4\\u0EC6\\u0EDC-\\u0EDF\\u0F00\\u0F40-\\u0F47\\u0F49-\\u0F6C\\u0F88-\\u0F8C\\u1000-\\u102A\\u103F\\u1050-\\u1055\\u105A-\\u105D\\u1061\\u1065\\u1066\\u106E-\\u107\
0\\u1075-\\u1081\\u108E\\u10A0-\\u10C5\\u10C7\\u10CD\\u10D0-\\u10FA\\u10FC-\\u1248\\u124A-\\u124D\\u1250-\\u1256\\u1258\\u125A-\\u125D\\u1260-\\u1288\\u128A-\\u128D\\u1290-\\u12B0\\u12B\
2-\\u12B5\\u12B8-\\u12BE\\u12C0\\u12C2-\\u12C5\\u12C8-\\u12D6\\u12D8-\\u1310\\u1312-\\u1315\\u1318-\\u135A\\u1380-\\u138F\\u13A0-\\u13F4\\u1401-\\u166C\\u166F-\\u167F\\u1681-\\u169A\\u1\
6A0-\\u16EA\\u16EE-\\u16F8\\u1700-\\u170C\\u170E-\\u1711\\u1720-\\u1731\\u1740-\\u1751\\u1760-\\u176C\\u176E-\\u1770\\u1780-\\u17B3\\u17D7\\u17DC\\u1820-\\u1877\\u1880-\\u18A8\\u18AA\\u\
18B0-\\u18F5\\u1900-\\u191E\\u1950-\\u196D\\u1970-\\u1974\\u1980-\\u19AB\\u19C1-\\u19C7\\u1A00-\\u1A16\\u1A20-\\u1A54\\u1AA7\\u1B05-\\u1B33\\u1B45-\\u1B4B\\u1B83-\\u1BA0\\u1BAE\\u1BAF\\\
u1BBA-\\u1BE5\\u1C00-\\u1C23\\u1C4D-\\u1C4F\\u1C5A-\\u1C7D\\u1CE9-\\u1CEC\\u1CEE-\\u1CF1\\u1CF5\\u1CF6\\u1D00-\\u1DBF\\u1E00-\\u1F15\\u1F18-\\u1F1D\\u1F20-\\u1F45\\u1F48-\\u1F4D\\u1F50\
-\\u1F57\\u1F59\\u1F5B\\u1F5D\\u1F5F-\\u1F7D\\u1F80-\\u1FB4\\u1FB6-\\u1FBC\\u1FBE\\u1FC2-\\u1FC4\\u1FC6-\\u1FCC\\u1FD0-\\u1FD3\\u1FD6-\\u1FDB\\u1FE0-\\u1FEC\\u1FF2-\\u1FF4\\u1FF6-\\u1FF\
C\\u2071\\u207F\\u2090-\\u209C\\u2102\\u2107\\u210A-\\u2113\\u2115\\u2119-\\u211D\\u2124\\u2126\\u2128\\u212A-\\u212D\\u212F-\\u2139\\u213C-\\u213F\\u2145-\\u2149\\u214E\\u2160-\\u2188\\\
u2C00-\\u2C2E\\u2C30-\\u2C5E\\u2C60-\\u2CE4\\u2CEB-\\u2CEE\\u2CF2\\u2CF3\\u2D00-\\u2D25\\u2D27\\u2D2D\\u2D30-\\u2D67\\u2D6F\\u2D80-\\u2D96\\u2DA0-\\u2DA6\\u2DA8-\\u2DAE\\u2DB0-\\u2DB6\\\
u2DB8-\\u2DBE\\u2DC0-\\u2DC6\\u2DC8-\\u2DCE\\u2DD0-\\u2DD6\\u2DD8-\\u2DDE\\u2E2F\\u3005-\\u3007\\u3021-\\u3029\\u3031-\\u3035\\u3038-\\u303C\\u3041-\\u3096\\u309D-\\u309F\\u30A1-\\u30F\
A\\u30FC-\\u30FF\\u3105-\\u312D\\u3131-\\u318E\\u31A0-\\u31BA\\u31F0-\\u31FF\\u3400-\\u4DB5\\u4E00-\\u9FCC\\uA000-\\uA48C\\uA4D0-\\uA4FD\\uA500-\\uA60C\\uA610-\\uA61F\\uA62A\\uA62B\\uA6\
40-\\uA66E\\uA67F-\\uA69D\\uA6A0-\\uA6EF\\uA717-\\uA71F\\uA722-\\uA788\\uA78B-\\uA78E\\uA790-\\uA7AD\\uA7B0\\uA7B1\\uA7F7-\\uA801\\uA803-\\uA805\\uA807-\\uA80A\\uA80C-\\uA822\\uA840-\\u\
A873\\uA882-\\uA8B3\\uA8F2-\\uA8F7\\uA8FB\\uA90A-\\uA925\\uA930-\\uA946\\uA960-\\uA97C\\uA984-\\uA9B2\\uA9CF\\uA9E0-\\uA9E4\\uA9E6-\\uA9EF\\uA9FA-\\uA9FE\\uAA00-\\uAA28\\uAA40-\\uAA42\\\
uAA44-\\uAA4B\\uAA60-\\uAA76\\uAA7A\\uAA7E-\\uAAAF\\uAAB1\\uAAB5\\uAAB6\\uAAB9-\\uAABD\\uAAC0\\uAAC2\\uAADB-\\uAADD\\uAAE0-\\uAAEA\\uAAF2-\\uAAF4\\uAB01-\\uAB06\\uAB09-\\uAB0E\\uAB11-\\\
uAB16\\uAB20-\\uAB26\\uAB28-\\uAB2E\\uAB30-\\uAB5A\\uAB5C-\\uAB5F\\uAB64\\uAB65\\uABC0-\\uABE2\\uAC00-\\uD7A3\\uD7B0-\\uD7C6\\uD7CB-\\uD7FB\\uF900-\\uFA6D\\uFA70-\\uFAD9\\uFB00-\\uFB06\
\\uFB13-\\uFB17\\uFB1D\\uFB1F-\\uFB28\\uFB2A-\\uFB36\\uFB38-\\uFB3C\\uFB3E\\uFB40\\uFB41\\uFB43\\uFB44\\uFB46-\\uFBB1\\uFBD3-\\uFD3D\\uFD50-\\uFD8F\\uFD92-\\uFDC7\\uFDF0-\\uFDFB\\uFE70-\
\\uFE74\\uFE76-\\uFEFC\\uFF21-\\uFF3A\\uFF41-\\uFF5A\\uFF66-\\uFFBE\\uFFC2-\\uFFC7\\uFFCA-\\uFFCF\\uFFD2-\\uFFD7\\uFFDA-\\uFFDC]"),Die=new RegExp("[\\xAA\\xB5\\xBA\
\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02C1\\u02C6-\\u02D1\\u02E0-\\u02E4\\u02EC\\u02EE\\u0300-\\u0374\\u0376\\u0377\\u037A-\\u037D\\u037F\\u0386\\u0388-\\u038A\\u038C\\u038E-\\u03A1\\u03A3-\\u03\
F5\\u03F7-\\u0481\\u0483-\\u0487\\u048A-\\u052F\\u0531-\\u0556\\u0559\\u0561-\\u0587\\u0591-\\u05BD\\u05BF\\u05C1\\u05C2\\u05C4\\u05C5\\u05C7\\u05D0-\\u05EA\\u05F0-\\u05F2\\u0610-\\u061\
A\\u0620-\\u0669\\u066E-\\u06D3\\u06D5-\\u06DC\\u06DF-\\u06E8\\u06EA-\\u06FC\\u06FF\\u0710-\\u074A\\u074D-\\u07B1\\u07C0-\\u07F5\\u07FA\\u0800-\\u082D\\u0840-\\u085B\\u08A0-\\u08B2\\u08\
E4-\\u0963\\u0966-\\u096F\\u0971-\\u0983\\u0985-\\u098C\\u098F\\u0990\\u0993-\\u09A8\\u09AA-\\u09B0\\u09B2\\u09B6-\\u09B9\\u09BC-\\u09C4\\u09C7\\u09C8\\u09CB-\\u09CE\\u09D7\\u09DC\\u09D\
D\\u09DF-\\u09E3\\u09E6-\\u09F1\\u0A01-\\u0A03\\u0A05-\\u0A0A\\u0A0F\\u0A10\\u0A13-\\u0A28\\u0A2A-\\u0A30\\u0A32\\u0A33\\u0A35\\u0A36\\u0A38\\u0A39\\u0A3C\\u0A3E-\\u0A42\\u0A47\\u0A48\\u\
0A4B-\\u0A4D\\u0A51\\u0A59-\\u0A5C\\u0A5E\\u0A66-\\u0A75\\u0A81-\\u0A83\\u0A85-\\u0A8D\\u0A8F-\\u0A91\\u0A93-\\u0AA8\\u0AAA-\\u0AB0\\u0AB2\\u0AB3\\u0AB5-\\u0AB9\\u0ABC-\\u0AC5\\u0AC7-\\\
u0AC9\\u0ACB-\\u0ACD\\u0AD0\\u0AE0-\\u0AE3\\u0AE6-\\u0AEF\\u0B01-\\u0B03\\u0B05-\\u0B0C\\u0B0F\\u0B10\\u0B13-\\u0B28\\u0B2A-\\u0B30\\u0B32\\u0B33\\u0B35-\\u0B39\\u0B3C-\\u0B44\\u0B47\\u\
0B48\\u0B4B-\\u0B4D\\u0B56\\u0B57\\u0B5C\\u0B5D\\u0B5F-\\u0B63\\u0B66-\\u0B6F\\u0B71\\u0B82\\u0B83\\u0B85-\\u0B8A\\u0B8E-\\u0B90\\u0B92-\\u0B95\\u0B99\\u0B9A\\u0B9C\\u0B9E\\u0B9F\\u0BA3\
\\u0BA4\\u0BA8-\\u0BAA\\u0BAE-\\u0BB9\\u0BBE-\\u0BC2\\u0BC6-\\u0BC8\\u0BCA-\\u0BCD\\u0BD0\\u0BD7\\u0BE6-\\u0BEF\\u0C00-\\u0C03\\u0C05-\\u0C0C\\u0C0E-\\u0C10\\u0C12-\\u0C28\\u0C2A-\\u0C3\
9\\u0C3D-\\u0C44\\u0C46-\\u0C48\\u0C4A-\\u0C4D\\u0C55\\u0C56\\u0C58\\u0C59\\u0C60-\\u0C63\\u0C66-\\u0C6F\\u0C81-\\u0C83\\u0C85-\\u0C8C\\u0C8E-\\u0C90\\u0C92-\\u0CA8\\u0CAA-\\u0CB3\\u0CB\
5-\\u0CB9\\u0CBC-\\u0CC4\\u0CC6-\\u0CC8\\u0CCA-\\u0CCD\\u0CD5\\u0CD6\\u0CDE\\u0CE0-\\u0CE3\\u0CE6-\\u0CEF\\u0CF1\\u0CF2\\u0D01-\\u0D03\\u0D05-\\u0D0C\\u0D0E-\\u0D10\\u0D12-\\u0D3A\\u0D3\
D-\\u0D44\\u0D46-\\u0D48\\u0D4A-\\u0D4E\\u0D57\\u0D60-\\u0D63\\u0D66-\\u0D6F\\u0D7A-\\u0D7F\\u0D82\\u0D83\\u0D85-\\u0D96\\u0D9A-\\u0DB1\\u0DB3-\\u0DBB\\u0DBD\\u0DC0-\\u0DC6\\u0DCA\\u0DC\
F-\\u0DD4\\u0DD6\\u0DD8-\\u0DDF\\u0DE6-\\u0DEF\\u0DF2\\u0DF3\\u0E01-\\u0E3A\\u0E40-\\u0E4E\\u0E50-\\u0E59\\u0E81\\u0E82\\u0E84\\u0E87\\u0E88\\u0E8A\\u0E8D\\u0E94-\\u0E97\\u0E99-\\u0E9F\\\
u0EA1-\\u0EA3\\u0EA5\\u0EA7\\u0EAA\\u0EAB\\u0EAD-\\u0EB9\\u0EBB-\\u0EBD\\u0EC0-\\u0EC4\\u0EC6\\u0EC8-\\u0ECD\\u0ED0-\\u0ED9\\u0EDC-\\u0EDF\\u0F00\\u0F18\\u0F19\\u0F20-\\u0F29\\u0F35\\u0\
F37\\u0F39\\u0F3E-\\u0F47\\u0F49-\\u0F6C\\u0F71-\\u0F84\\u0F86-\\u0F97\\u0F99-\\u0FBC\\u0FC6\\u1000-\\u1049\\u1050-\\u109D\\u10A0-\\u10C5\\u10C7\\u10CD\\u10D0-\\u10FA\\u10FC-\\u1248\\u1\
24A-\\u124D\\u1250-\\u1256\\u1258\\u125A-\\u125D\\u1260-\\u1288\\u128A-\\u128D\\u1290-\\u12B0\\u12B2-\\u12B5\\u12B8-\\u12BE\\u12C0\\u12C2-\\u12C5\\u12C8-\\u12D6\\u12D8-\\u1310\\u1312-\\\
u1315\\u1318-\\u135A\\u135D-\\u135F\\u1380-\\u138F\\u13A0-\\u13F4\\u1401-\\u166C\\u166F-\\u167F\\u1681-\\u169A\\u16A0-\\u16EA\\u16EE-\\u16F8\\u1700-\\u170C\\u170E-\\u1714\\u1720-\\u173\
4\\u1740-\\u1753\\u1760-\\u176C\\u176E-\\u1770\\u1772\\u1773\\u1780-\\u17D3\\u17D7\\u17DC\\u17DD\\u17E0-\\u17E9\\u180B-\\u180D\\u1810-\\u1819\\u1820-\\u1877\\u1880-\\u18AA\\u18B0-\\u18F\
5\\u1900-\\u191E\\u1920-\\u192B\\u1930-\\u193B\\u1946-\\u196D\\u1970-\\u1974\\u1980-\\u19AB\\u19B0-\\u19C9\\u19D0-\\u19D9\\u1A00-\\u1A1B\\u1A20-\\u1A5E\\u1A60-\\u1A7C\\u1A7F-\\u1A89\\u1\
A90-\\u1A99\\u1AA7\\u1AB0-\\u1ABD\\u1B00-\\u1B4B\\u1B50-\\u1B59\\u1B6B-\\u1B73\\u1B80-\\u1BF3\\u1C00-\\u1C37\\u1C40-\\u1C49\\u1C4D-\\u1C7D\\u1CD0-\\u1CD2\\u1CD4-\\u1CF6\\u1CF8\\u1CF9\\u\
1D00-\\u1DF5\\u1DFC-\\u1F15\\u1F18-\\u1F1D\\u1F20-\\u1F45\\u1F48-\\u1F4D\\u1F50-\\u1F57\\u1F59\\u1F5B\\u1F5D\\u1F5F-\\u1F7D\\u1F80-\\u1FB4\\u1FB6-\\u1FBC\\u1FBE\\u1FC2-\\u1FC4\\u1FC6-\\\
u1FCC\\u1FD0-\\u1FD3\\u1FD6-\\u1FDB\\u1FE0-\\u1FEC\\u1FF2-\\u1FF4\\u1FF6-\\u1FFC\\u200C\\u200D\\u203F\\u2040\\u2054\\u2071\\u207F\\u2090-\\u209C\\u20D0-\\u20DC\\u20E1\\u20E5-\\u20F0\\u2\
102\\u2107\\u210A-\\u2113\\u2115\\u2119-\\u211D\\u2124\\u2126\\u2128\\u212A-\\u212D\\u212F-\\u2139\\u213C-\\u213F\\u2145-\\u2149\\u214E\\u2160-\\u2188\\u2C00-\\u2C2E\\u2C30-\\u2C5E\\u2C\
60-\\u2CE4\\u2CEB-\\u2CF3\\u2D00-\\u2D25\\u2D27\\u2D2D\\u2D30-\\u2D67\\u2D6F\\u2D7F-\\u2D96\\u2DA0-\\u2DA6\\u2DA8-\\u2DAE\\u2DB0-\\u2DB6\\u2DB8-\\u2DBE\\u2DC0-\\u2DC6\\u2DC8-\\u2DCE\\u2\
DD0-\\u2DD6\\u2DD8-\\u2DDE\\u2DE0-\\u2DFF\\u2E2F\\u3005-\\u3007\\u3021-\\u302F\\u3031-\\u3035\\u3038-\\u303C\\u3041-\\u3096\\u3099\\u309A\\u309D-\\u309F\\u30A1-\\u30FA\\u30FC-\\u30FF\\u\
3105-\\u312D\\u3131-\\u318E\\u31A0-\\u31BA\\u31F0-\\u31FF\\u3400-\\u4DB5\\u4E00-\\u9FCC\\uA000-\\uA48C\\uA4D0-\\uA4FD\\uA500-\\uA60C\\uA610-\\uA62B\\uA640-\\uA66F\\uA674-\\uA67D\\uA67F\
-\\uA69D\\uA69F-\\uA6F1\\uA717-\\uA71F\\uA722-\\uA788\\uA78B-\\uA78E\\uA790-\\uA7AD\\uA7B0\\uA7B1\\uA7F7-\\uA827\\uA840-\\uA873\\uA880-\\uA8C4\\uA8D0-\\uA8D9\\uA8E0-\\uA8F7\\uA8FB\\uA90\
0-\\uA92D\\uA930-\\uA953\\uA960-\\uA97C\\uA980-\\uA9C0\\uA9CF-\\uA9D9\\uA9E0-\\uA9FE\\uAA00-\\uAA36\\uAA40-\\uAA4D\\uAA50-\\uAA59\\uAA60-\\uAA76\\uAA7A-\\uAAC2\\uAADB-\\uAADD\\uAAE0-\\u\
AAEF\\uAAF2-\\uAAF6\\uAB01-\\uAB06\\uAB09-\\uAB0E\\uAB11-\\uAB16\\uAB20-\\uAB26\\uAB28-\\uAB2E\\uAB30-\\uAB5A\\uAB5C-\\uAB5F\\uAB64\\uAB65\\uABC0-\\uABEA\\uABEC\\uABED\\uABF0-\\uABF9\\u\
AC00-\\uD7A3\\uD7B0-\\uD7C6\\uD7CB-\\uD7FB\\uF900-\\uFA6D\\uFA70-\\uFAD9\\uFB00-\\uFB06\\uFB13-\\uFB17\\uFB1D-\\uFB28\\uFB2A-\\uFB36\\uFB38-\\uFB3C\\uFB3E\\uFB40\\uFB41\\uFB43\\uFB44\\u\
FB46-\\uFBB1\\uFBD3-\\uFD3D\\uFD50-\\uFD8F\\uFD92-\\uFDC7\\uFDF0-\\uFDFB\\uFE00-\\uFE0F\\uFE20-\\uFE2D\\uFE33\\uFE34\\uFE4D-\\uFE4F\\uFE70-\\uFE74\\uFE76-\\uFEFC\\uFF10-\\uFF19\\uFF21-\
\\uFF3A\\uFF3F\\uFF41-\\uFF5A\\uFF66-\\uFFBE\\uFFC2-\\uFFC7\\uFFCA-\\uFFCF\\uFFD2-\\uFFD7\\uFFDA-\\uFFDC]");function Fm(e,t){if(!e)throw new Error("ASSERT: "+t)}
function ka(e){return e>=48&&e<=57}function rE(e){return"0123456789abcdefABCDEF".includes(e)}function Fd(e){return"01234567".includes(e)}function $ie(e){return e===
32||e===9||e===11||e===12||e===160||e>=5760&&[5760,6158,8192,8193,8194,8195,8196,8197,8198,8199,8200,8201,8202,8239,8287,12288,65279].includes(e)}function Dd(e){
return e===10||e===13||e===8232||e===8233}function Rd(e){return e===36||e===95||e>=65&&e<=90||e>=97&&e<=122||e===92||e>=128&&Mie.test(String.fromCharCode(e))}function Cm(e){
return e===36||e===95||e>=65&&e<=90||e>=97&&e<=122||e>=48&&e<=57||e===92||e>=128&&Die.test(String.fromCharCode(e))}var Tie={if:1,in:1,do:1,var:1,for:1,new:1,try:1,
let:1,this:1,else:1,case:1,void:1,with:1,enum:1,while:1,break:1,catch:1,throw:1,const:1,yield:1,class:1,super:1,return:1,typeof:1,delete:1,switch:1,export:1,import:1,
public:1,static:1,default:1,finally:1,extends:1,package:1,private:1,function:1,continue:1,debugger:1,interface:1,protected:1,instanceof:1,implements:1};function A$(){
for(;B<mn;){let e=te.charCodeAt(B);if($ie(e)||Dd(e))++B;else break}}function nE(e){var t,n,r,i=0;for(n=e==="u"?4:2,t=0;t<n;++t)B<mn&&rE(te[B])?(r=te[B++],i=i*16+
"0123456789abcdef".indexOf(r.toLowerCase())):De({},jt,Jt);return String.fromCharCode(i)}function Rie(){var e,t,n,r;for(e=te[B],t=0,e==="}"&&De({},jt,Jt);B<mn&&(e=
te[B++],!!rE(e));)t=t*16+"0123456789abcdef".indexOf(e.toLowerCase());return(t>1114111||e!=="}")&&De({},jt,Jt),t<=65535?String.fromCharCode(t):(n=(t-65536>>10)+55296,
r=(t-65536&1023)+56320,String.fromCharCode(n,r))}function E$(){var e,t;for(e=te.charCodeAt(B++),t=String.fromCharCode(e),e===92&&(te.charCodeAt(B)!==117&&De({},
jt,Jt),++B,e=nE("u"),(!e||e==="\\"||!Rd(e.charCodeAt(0)))&&De({},jt,Jt),t=e);B<mn&&(e=te.charCodeAt(B),!!Cm(e));)++B,t+=String.fromCharCode(e),e===92&&(t=t.substr(
0,t.length-1),te.charCodeAt(B)!==117&&De({},jt,Jt),++B,e=nE("u"),(!e||e==="\\"||!Cm(e.charCodeAt(0)))&&De({},jt,Jt),t+=e);return t}function Oie(){var e,t;for(e=
B++;B<mn;){if(t=te.charCodeAt(B),t===92)return B=e,E$();if(Cm(t))++B;else break}return te.slice(e,B)}function Nie(){var e,t,n;return e=B,t=te.charCodeAt(B)===92?
E$():Oie(),t.length===1?n=Ks:Tie.hasOwnProperty(t)?n=Bo:t==="null"?n=km:t==="true"||t==="false"?n=_m:n=Ks,{type:n,value:t,start:e,end:B}}function JA(){var e=B,t=te.
charCodeAt(B),n,r=te[B],i,a,o;switch(t){case 46:case 40:case 41:case 59:case 44:case 123:case 125:case 91:case 93:case 58:case 63:case 126:return++B,{type:Yn,value:String.
fromCharCode(t),start:e,end:B};default:if(n=te.charCodeAt(B+1),n===61)switch(t){case 43:case 45:case 47:case 60:case 62:case 94:case 124:case 37:case 38:case 42:
return B+=2,{type:Yn,value:String.fromCharCode(t)+String.fromCharCode(n),start:e,end:B};case 33:case 61:return B+=2,te.charCodeAt(B)===61&&++B,{type:Yn,value:te.
slice(e,B),start:e,end:B}}}if(o=te.substr(B,4),o===">>>=")return B+=4,{type:Yn,value:o,start:e,end:B};if(a=o.substr(0,3),a===">>>"||a==="<<="||a===">>=")return B+=
3,{type:Yn,value:a,start:e,end:B};if(i=a.substr(0,2),r===i[1]&&"+-<>&|".includes(r)||i==="=>")return B+=2,{type:Yn,value:i,start:e,end:B};if(i==="//"&&De({},jt,
Jt),"<>=!+-*%&|^/".includes(r))return++B,{type:Yn,value:r,start:e,end:B};De({},jt,Jt)}function Bie(e){let t="";for(;B<mn&&rE(te[B]);)t+=te[B++];return t.length===
0&&De({},jt,Jt),Rd(te.charCodeAt(B))&&De({},jt,Jt),{type:Zs,value:parseInt("0x"+t,16),start:e,end:B}}function Pie(e){let t="0"+te[B++];for(;B<mn&&Fd(te[B]);)t+=
te[B++];return(Rd(te.charCodeAt(B))||ka(te.charCodeAt(B)))&&De({},jt,Jt),{type:Zs,value:parseInt(t,8),octal:!0,start:e,end:B}}function h$(){var e,t,n;if(n=te[B],
Fm(ka(n.charCodeAt(0))||n===".","Numeric literal must start with a decimal digit or a decimal point"),t=B,e="",n!=="."){if(e=te[B++],n=te[B],e==="0"){if(n==="x"||
n==="X")return++B,Bie(t);if(Fd(n))return Pie(t);n&&ka(n.charCodeAt(0))&&De({},jt,Jt)}for(;ka(te.charCodeAt(B));)e+=te[B++];n=te[B]}if(n==="."){for(e+=te[B++];ka(
te.charCodeAt(B));)e+=te[B++];n=te[B]}if(n==="e"||n==="E")if(e+=te[B++],n=te[B],(n==="+"||n==="-")&&(e+=te[B++]),ka(te.charCodeAt(B)))for(;ka(te.charCodeAt(B));)
e+=te[B++];else De({},jt,Jt);return Rd(te.charCodeAt(B))&&De({},jt,Jt),{type:Zs,value:parseFloat(e),start:t,end:B}}function Iie(){var e="",t,n,r,i,a=!1;for(t=te[B],
Fm(t==="'"||t==='"',"String literal must starts with a quote"),n=B,++B;B<mn;)if(r=te[B++],r===t){t="";break}else if(r==="\\")if(r=te[B++],!r||!Dd(r.charCodeAt(0)))
switch(r){case"u":case"x":te[B]==="{"?(++B,e+=Rie()):e+=nE(r);break;case"n":e+=`
`;break;case"r":e+="\r";break;case"t":e+="	";break;case"b":e+="\b";break;case"f":e+="\f";break;case"v":e+="\v";break;default:Fd(r)?(i="01234567".indexOf(r),i!==
0&&(a=!0),B<mn&&Fd(te[B])&&(a=!0,i=i*8+"01234567".indexOf(te[B++]),"0123".includes(r)&&B<mn&&Fd(te[B])&&(i=i*8+"01234567".indexOf(te[B++]))),e+=String.fromCharCode(
i)):e+=r;break}else r==="\r"&&te[B]===`
`&&++B;else{if(Dd(r.charCodeAt(0)))break;e+=r}return t!==""&&De({},jt,Jt),{type:Td,value:e,octal:a,start:n,end:B}}function zie(e,t){let n=e;t.includes("u")&&(n=
n.replace(/\\u\{([0-9a-fA-F]+)\}/g,(r,i)=>{if(parseInt(i,16)<=1114111)return"x";De({},tE)}).replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g,"x"));try{new RegExp(n)}catch{
De({},tE)}try{return new RegExp(e,t)}catch{return null}}function Lie(){var e,t,n,r,i;for(e=te[B],Fm(e==="/","Regular expression literal must start with a slash"),
t=te[B++],n=!1,r=!1;B<mn;)if(e=te[B++],t+=e,e==="\\")e=te[B++],Dd(e.charCodeAt(0))&&De({},ZA),t+=e;else if(Dd(e.charCodeAt(0)))De({},ZA);else if(n)e==="]"&&(n=!1);else if(e===
"/"){r=!0;break}else e==="["&&(n=!0);return r||De({},ZA),i=t.substr(1,t.length-2),{value:i,literal:t}}function Uie(){var e,t,n;for(t="",n="";B<mn&&(e=te[B],!!Cm(
e.charCodeAt(0)));)++B,e==="\\"&&B<mn?De({},jt,Jt):(n+=e,t+=e);return n.search(/[^gimuy]/g)>=0&&De({},tE,n),{value:n,literal:t}}function qie(){var e,t,n,r;return Pe=
null,A$(),e=B,t=Lie(),n=Uie(),r=zie(t.value,n.value),{literal:t.literal+n.literal,value:r,regex:{pattern:t.value,flags:n.value},start:e,end:B}}function jie(e){return e.
type===Ks||e.type===Bo||e.type===_m||e.type===km}function S$(){if(A$(),B>=mn)return{type:$d,start:B,end:B};let e=te.charCodeAt(B);return Rd(e)?Nie():e===40||e===
41||e===59?JA():e===39||e===34?Iie():e===46?ka(te.charCodeAt(B+1))?h$():JA():ka(e)?h$():JA()}function Vn(){let e=Pe;return B=e.end,Pe=S$(),B=e.end,e}function C$(){
let e=B;Pe=S$(),B=e}function Wie(e){let t=new ei(hie);return t.elements=e,t}function p$(e,t,n){let r=new ei(e==="||"||e==="&&"?bie:pie);return r.operator=e,r.left=
t,r.right=n,r}function Gie(e,t){let n=new ei(gie);return n.callee=e,n.arguments=t,n}function Hie(e,t,n){let r=new ei(mie);return r.test=e,r.consequent=t,r.alternate=
n,r}function iE(e){let t=new ei(v$);return t.name=e,t}function kd(e){let t=new ei(yie);return t.value=e.value,t.raw=te.slice(e.start,e.end),e.regex&&(t.raw==="/\
/"&&(t.raw="/(?:)/"),t.regex=e.regex),t}function g$(e,t,n){let r=new ei(xie);return r.computed=e==="[",r.object=t,r.property=n,r.computed||(n.member=!0),r}function Yie(e){
let t=new ei(vie);return t.properties=e,t}function m$(e,t,n){let r=new ei(wie);return r.key=t,r.value=n,r.kind=e,r}function Vie(e,t){let n=new ei(Aie);return n.
operator=e,n.argument=t,n.prefix=!0,n}function De(e,t){var n,r=Array.prototype.slice.call(arguments,2),i=t.replace(/%(\d)/g,(a,o)=>(Fm(o<r.length,"Message refer\
ence must be in range"),r[o]));throw n=new Error(i),n.index=B,n.description=i,n}function Mm(e){e.type===$d&&De(e,kie),e.type===Zs&&De(e,Eie),e.type===Td&&De(e,Sie),
e.type===Ks&&De(e,Cie),e.type===Bo&&De(e,_ie),De(e,jt,e.value)}function yn(e){let t=Vn();(t.type!==Yn||t.value!==e)&&Mm(t)}function Ye(e){return Pe.type===Yn&&Pe.
value===e}function eE(e){return Pe.type===Bo&&Pe.value===e}function Xie(){let e=[];for(B=Pe.start,yn("[");!Ye("]");)Ye(",")?(Vn(),e.push(null)):(e.push(Qs()),Ye(
"]")||yn(","));return Vn(),Wie(e)}function y$(){B=Pe.start;let e=Vn();return e.type===Td||e.type===Zs?(e.octal&&De(e,w$),kd(e)):iE(e.value)}function Kie(){var e,
t,n,r;if(B=Pe.start,e=Pe,e.type===Ks)return n=y$(),yn(":"),r=Qs(),m$("init",n,r);if(e.type===$d||e.type===Yn)Mm(e);else return t=y$(),yn(":"),r=Qs(),m$("init",t,
r)}function Qie(){var e=[],t,n,r,i={},a=String;for(B=Pe.start,yn("{");!Ye("}");)t=Kie(),t.key.type===v$?n=t.key.name:n=a(t.key.value),r="$"+n,Object.prototype.hasOwnProperty.
call(i,r)?De({},Fie):i[r]=!0,e.push(t),Ye("}")||yn(",");return yn("}"),Yie(e)}function Zie(){yn("(");let e=aE();return yn(")"),e}var Jie={if:1};function eae(){var e,
t,n;if(Ye("("))return Zie();if(Ye("["))return Xie();if(Ye("{"))return Qie();if(e=Pe.type,B=Pe.start,e===Ks||Jie[Pe.value])n=iE(Vn().value);else if(e===Td||e===Zs)
Pe.octal&&De(Pe,w$),n=kd(Vn());else{if(e===Bo)throw new Error(Md);e===_m?(t=Vn(),t.value=t.value==="true",n=kd(t)):e===km?(t=Vn(),t.value=null,n=kd(t)):Ye("/")||
Ye("/=")?(n=kd(qie()),C$()):Mm(Vn())}return n}function tae(){let e=[];if(yn("("),!Ye(")"))for(;B<mn&&(e.push(Qs()),!Ye(")"));)yn(",");return yn(")"),e}function nae(){
B=Pe.start;let e=Vn();return jie(e)||Mm(e),iE(e.value)}function rae(){return yn("."),nae()}function iae(){yn("[");let e=aE();return yn("]"),e}function aae(){var e,
t,n;for(e=eae();;)if(Ye("."))n=rae(),e=g$(".",e,n);else if(Ye("("))t=tae(),e=Gie(e,t);else if(Ye("["))n=iae(),e=g$("[",e,n);else break;return e}function b$(){let e=aae();
if(Pe.type===Yn&&(Ye("++")||Ye("--")))throw new Error(Md);return e}function Sm(){var e,t;if(Pe.type!==Yn&&Pe.type!==Bo)t=b$();else{if(Ye("++")||Ye("--"))throw new Error(
Md);if(Ye("+")||Ye("-")||Ye("~")||Ye("!"))e=Vn(),t=Sm(),t=Vie(e.value,t);else{if(eE("delete")||eE("void")||eE("typeof"))throw new Error(Md);t=b$()}}return t}function x$(e){
let t=0;if(e.type!==Yn&&e.type!==Bo)return 0;switch(e.value){case"||":t=1;break;case"&&":t=2;break;case"|":t=3;break;case"^":t=4;break;case"&":t=5;break;case"==":case"\
!=":case"===":case"!==":t=6;break;case"<":case">":case"<=":case">=":case"instanceof":case"in":t=7;break;case"<<":case">>":case">>>":t=8;break;case"+":case"-":t=
9;break;case"*":case"/":case"%":t=11;break}return t}function oae(){var e,t,n,r,i,a,o,s,u,l;if(e=Pe,u=Sm(),r=Pe,i=x$(r),i===0)return u;for(r.prec=i,Vn(),t=[e,Pe],
o=Sm(),a=[u,r,o];(i=x$(Pe))>0;){for(;a.length>2&&i<=a[a.length-2].prec;)o=a.pop(),s=a.pop().value,u=a.pop(),t.pop(),n=p$(s,u,o),a.push(n);r=Vn(),r.prec=i,a.push(
r),t.push(Pe),n=Sm(),a.push(n)}for(l=a.length-1,n=a[l],t.pop();l>1;)t.pop(),n=p$(a[l-1].value,a[l-2],n),l-=2;return n}function Qs(){var e,t,n;return e=oae(),Ye(
"?")&&(Vn(),t=Qs(),yn(":"),n=Qs(),e=Hie(e,t,n)),e}function aE(){let e=Qs();if(Ye(","))throw new Error(Md);return e}function _$(e){te=e,B=0,mn=te.length,Pe=null,
C$();let t=aE();if(Pe.type!==$d)throw new Error("Unexpect token after expression.");return t}var sae="6.4.3",uae={version:sae};function m3(e){return W(e,"or")}function y3(e){return W(e,"and")}function b3(e){return W(e,"not")}function Bm(e,t){if(b3(e))Bm(
e.not,t);else if(y3(e))for(let n of e.and)Bm(n,t);else if(m3(e))for(let n of e.or)Bm(n,t);else t(e)}function zl(e,t){return b3(e)?{not:zl(e.not,t)}:y3(e)?{and:e.
and.map(n=>zl(n,t))}:m3(e)?{or:e.or.map(n=>zl(n,t))}:t(e)}var de=structuredClone;function lae(e){throw new Error(e)}function Id(e,t){let n={};for(let r of t)Y(e,
r)&&(n[r]=e[r]);return n}function Tr(e,t){let n={...e};for(let r of t)delete n[r];return n}Set.prototype.toJSON=function(){return`Set(${[...this].map(e=>Ue(e)).
join(",")})`};function ye(e){if(we(e))return e;let t=X(e)?e:Ue(e);if(t.length<250)return t;let n=0;for(let r=0;r<t.length;r++){let i=t.charCodeAt(r);n=(n<<5)-n+
i,n=n&n}return n}function k$(e){return e===!1||e===null}function Ee(e,t){return e.includes(t)}function zd(e,t){let n=0;for(let[r,i]of e.entries())if(t(i,r,n++))
return!0;return!1}function LT(e,t){let n=0;for(let[r,i]of e.entries())if(!t(i,r,n++))return!1;return!0}function cae(e,...t){for(let n of t)fae(e,n??{});return e}
function fae(e,t){for(let n of q(t))Su(e,n,t[n],!0)}function Mr(e,t){let n=[],r={},i;for(let a of e)i=t(a),!(i in r)&&(r[i]=1,n.push(a));return n}function dae(e,t){if(e.size!==t.size)return!1;for(let n of e)if(!t.has(n))return!1;return!0}function UT(e,t){for(let n of e)if(t.has(n))return!0;return!1}function F$(e){
let t=new Set;for(let n of e){let i=xn(n).map((o,s)=>s===0?o:`[${o}]`),a=i.map((o,s)=>i.slice(0,s+1).join(""));for(let o of a)t.add(o)}return t}function qT(e,t){
return e===void 0||t===void 0?!0:UT(F$(e),F$(t))}function je(e){return q(e).length===0}var q=Object.keys,$t=Object.values,nu=Object.entries;function Ld(e){return e===
!0||e===!1}function vE(e){return X(e)||we(e)||Ld(e)}function rt(e){let t=e.replace(/\W/g,"_");return(e.match(/^\d+/)?"_":"")+t}function Pm(e,t){return b3(e)?`!(${Pm(
e.not,t)})`:y3(e)?`(${e.and.map(n=>Pm(n,t)).join(") && (")})`:m3(e)?`(${e.or.map(n=>Pm(n,t)).join(") || (")})`:t(e)}function wE(e,t){if(t.length===0)return!0;let n=t.
shift();return n in e&&wE(e[n],t)&&delete e[n],je(e)}function p1(e){return e.charAt(0).toUpperCase()+e.substr(1)}function jT(e,t="datum"){let n=xn(e),r=[];for(let i=1;i<=
n.length;i++){let a=`[${n.slice(0,i).map(I).join("][")}]`;r.push(`${t}${a}`)}return r.join(" && ")}function hae(e,t="datum"){return`${t}[${I(xn(e).join("."))}]`}
function Le(e){return`datum['${e.replaceAll("'","\\'")}']`}function pae(e){return e.replaceAll("\\'","'").replaceAll("\\.",".")}function gae(e){return e.replace(
/(\[|\]|\.|'|")/g,"\\$1")}function ii(e){return`${xn(e).map(gae).join("\\.")}`}function jl(e,t,n){return e.replace(new RegExp(t.replace(/[-/\\^$*+?.()|[\]{}]/g,
"\\$&"),"g"),n)}function eh(e){return`${xn(e).join(".")}`}function Ud(e){return e?xn(e).length:0}function Ct(...e){return e.find(t=>t!==void 0)}var mae=42;function yae(e){
let t=++mae;return e?String(e)+t:t}function bae(e){return xae(e)?e:`__${e}`}function xae(e){return e.startsWith("__")}function zm(e){if(e!==void 0)return(e%360+360)%360}function x3(e){return we(e)?
!0:!isNaN(e)&&!isNaN(parseFloat(e))}var M$=Object.getPrototypeOf(structuredClone({}));function Dr(e,t){if(e===t)return!0;if(e&&t&&typeof e=="object"&&typeof t==
"object"){if(e.constructor.name!==t.constructor.name)return!1;let n,r;if(Array.isArray(e)){if(n=e.length,n!=t.length)return!1;for(r=n;r--!==0;)if(!Dr(e[r],t[r]))
return!1;return!0}if(e instanceof Map&&t instanceof Map){if(e.size!==t.size)return!1;for(let a of e.entries())if(!t.has(a[0]))return!1;for(let a of e.entries())
if(!Dr(a[1],t.get(a[0])))return!1;return!0}if(e instanceof Set&&t instanceof Set){if(e.size!==t.size)return!1;for(let a of e.entries())if(!t.has(a[0]))return!1;
return!0}if(ArrayBuffer.isView(e)&&ArrayBuffer.isView(t)){if(n=e.length,n!=t.length)return!1;for(r=n;r--!==0;)if(e[r]!==t[r])return!1;return!0}if(e.constructor===
RegExp)return e.source===t.source&&e.flags===t.flags;if(e.valueOf!==Object.prototype.valueOf&&e.valueOf!==M$.valueOf)return e.valueOf()===t.valueOf();if(e.toString!==
Object.prototype.toString&&e.toString!==M$.toString)return e.toString()===t.toString();let i=Object.keys(e);if(n=i.length,n!==Object.keys(t).length)return!1;for(r=
n;r--!==0;)if(!Object.prototype.hasOwnProperty.call(t,i[r]))return!1;for(r=n;r--!==0;){let a=i[r];if(!Dr(e[a],t[a]))return!1}return!0}return e!==e&&t!==t}function Ue(e){
let t=[];return(function n(r){if(r?.toJSON&&typeof r.toJSON=="function"&&(r=r.toJSON()),r===void 0)return;if(typeof r=="number")return isFinite(r)?`${r}`:"null";
if(typeof r!="object")return JSON.stringify(r);let i,a;if(Array.isArray(r)){for(a="[",i=0;i<r.length;i++)i&&(a+=","),a+=n(r[i])||"null";return`${a}]`}if(r===null)
return"null";if(t.includes(r))throw new TypeError("Converting circular structure to JSON");let o=t.push(r)-1,s=Object.keys(r).sort();for(a="",i=0;i<s.length;i++){
let u=s[i],l=n(r[u]);l&&(a&&(a+=","),a+=`${JSON.stringify(u)}:${l}`)}return t.splice(o,1),`{${a}}`})(e)}function W(e,t){return V(e)&&Y(e,t)&&e[t]!==void 0}var Da="\
row",$a="column",g1="facet",Xe="x",Tt="y",li="x2",Wi="y2",Oa="xOffset",ic="yOffset",ci="radius",ja="radius2",Or="theta",Wa="theta2",fi="latitude",di="longitude",
hi="latitude2",Rr="longitude2",Yo="time",Xn="color",Gi="fill",Hi="stroke",Kn="shape",Ga="size",pu="angle",Ha="opacity",Vo="fillOpacity",Xo="strokeOpacity",Ko="s\
trokeWidth",Qo="strokeDash",th="text",Wl="order",nh="detail",m1="key",ru="tooltip",y1="href",b1="url",x1="description",vae={x:1,y:1,x2:1,y2:1},WT={theta:1,theta2:1,
radius:1,radius2:1};function GT(e){return Y(WT,e)}var v3={longitude:1,longitude2:1,latitude:1,latitude2:1};function HT(e){switch(e){case fi:return"y";case hi:return"\
y2";case di:return"x";case Rr:return"x2"}}function YT(e){return Y(v3,e)}var wae=q(v3),w3={...vae,...WT,...v3,xOffset:1,yOffset:1,color:1,fill:1,stroke:1,time:1,
opacity:1,fillOpacity:1,strokeOpacity:1,strokeWidth:1,strokeDash:1,size:1,angle:1,shape:1,order:1,text:1,detail:1,key:1,tooltip:1,href:1,url:1,description:1};function Ll(e){
return e===Xn||e===Gi||e===Hi}var VT={row:1,column:1,facet:1},$r=q(VT),A3={...w3,...VT},Aae=q(A3),{order:w2e,detail:A2e,tooltip:E2e,...Eae}=A3,{row:S2e,column:C2e,
facet:_2e,...Sae}=Eae;function Cae(e){return Y(Sae,e)}function XT(e){return Y(A3,e)}var _ae=[li,Wi,hi,Rr,Wa,ja];function KT(e){return gu(e)!==e}function gu(e){switch(e){case li:
return Xe;case Wi:return Tt;case hi:return fi;case Rr:return di;case Wa:return Or;case ja:return ci}return e}function Uo(e){if(GT(e))switch(e){case Or:return"st\
artAngle";case Wa:return"endAngle";case ci:return"outerRadius";case ja:return"innerRadius"}return e}function Yi(e){switch(e){case Xe:return li;case Tt:return Wi;case fi:
return hi;case di:return Rr;case Or:return Wa;case ci:return ja}}function Qn(e){switch(e){case Xe:case li:return"width";case Tt:case Wi:return"height"}}function QT(e){
switch(e){case Xe:return"xOffset";case Tt:return"yOffset";case li:return"x2Offset";case Wi:return"y2Offset";case Or:return"thetaOffset";case ci:return"radiusOff\
set";case Wa:return"theta2Offset";case ja:return"radius2Offset"}}function E3(e){switch(e){case Xe:return"xOffset";case Tt:return"yOffset"}}function kae(e){switch(e){case"\
xOffset":return"x";case"yOffset":return"y"}}var Fae=q(w3),{x:k2e,y:F2e,x2:M2e,y2:D2e,xOffset:$2e,yOffset:T2e,latitude:R2e,longitude:O2e,latitude2:N2e,longitude2:B2e,
theta:P2e,theta2:I2e,radius:z2e,radius2:L2e,...S3}=w3,Mae=q(S3),C3={x:1,y:1},Ya=q(C3);function wt(e){return Y(C3,e)}var _3={theta:1,radius:1},Dae=q(_3);function v1(e){
return e==="width"?Xe:Tt}var ZT={xOffset:1,yOffset:1};function rh(e){return Y(ZT,e)}var $ae={time:1};function oE(e){return e in $ae}var{text:U2e,tooltip:q2e,href:j2e,
url:W2e,description:G2e,detail:H2e,key:Y2e,order:V2e,...JT}=S3,Tae=q(JT);function Rae(e){return Y(S3,e)}function Oae(e){switch(e){case Xn:case Gi:case Hi:case Ga:case Kn:case Ha:case Ko:case Qo:
return!0;case Vo:case Xo:case pu:case Yo:return!1}}var eR={...C3,..._3,...ZT,...JT},k3=q(eR);function Vi(e){return Y(eR,e)}function Nae(e,t){return Pae(e)[t]}var tR={
arc:"always",area:"always",bar:"always",circle:"always",geoshape:"always",image:"always",line:"always",rule:"always",point:"always",rect:"always",square:"always",
trail:"always",text:"always",tick:"always"},{geoshape:X2e,...Bae}=tR;function Pae(e){switch(e){case Xn:case Gi:case Hi:case x1:case nh:case m1:case ru:case y1:case Wl:case Ha:case Vo:case Xo:case Ko:case g1:case Da:case $a:
return tR;case Xe:case Tt:case Oa:case ic:case fi:case di:case Yo:return Bae;case li:case Wi:case hi:case Rr:return{area:"always",bar:"always",image:"always",rect:"\
always",rule:"always",circle:"binned",point:"binned",square:"binned",tick:"binned",line:"binned",trail:"binned"};case Ga:return{point:"always",tick:"always",rule:"\
always",circle:"always",square:"always",bar:"always",text:"always",line:"always",trail:"always"};case Qo:return{line:"always",point:"always",tick:"always",rule:"\
always",circle:"always",square:"always",bar:"always",geoshape:"always"};case Kn:return{point:"always",geoshape:"always"};case th:return{text:"always"};case pu:return{
point:"always",square:"always",text:"always"};case b1:return{image:"always"};case Or:return{text:"always",arc:"always"};case ci:return{text:"always",arc:"always"};case Wa:case ja:
return{arc:"always"}}}function sE(e){switch(e){case Xe:case Tt:case Or:case ci:case Oa:case ic:case Ga:case pu:case Ko:case Ha:case Vo:case Xo:case Yo:case li:case Wi:case Wa:case ja:
return;case g1:case Da:case $a:case Kn:case Qo:case th:case ru:case y1:case b1:case x1:return"discrete";case Xn:case Gi:case Hi:return"flexible";case fi:case di:case hi:case Rr:case nh:case m1:case Wl:
return}}var Iae={argmax:1,argmin:1,average:1,count:1,distinct:1,exponential:1,exponentialb:1,product:1,max:1,mean:1,median:1,min:1,missing:1,q1:1,q3:1,ci0:1,ci1:1,
stderr:1,stdev:1,stdevp:1,sum:1,valid:1,values:1,variance:1,variancep:1},zae={count:1,min:1,max:1};function Na(e){return W(e,"argmin")}function Zo(e){return W(e,
"argmax")}function F3(e){return X(e)&&Y(Iae,e)}var Lae=new Set(["count","valid","missing","distinct"]);function w1(e){return X(e)&&Lae.has(e)}function Uae(e){return X(
e)&&Ee(["min","max"],e)}var qae=new Set(["count","sum","distinct","valid","missing"]),jae=new Set(["mean","average","median","q1","q3","min","max"]);function nR(e){
return ta(e)&&(e=R1(e,void 0)),`bin${q(e).map(t=>A1(e[t])?rt(`_${t}_${nu(e[t])}`):rt(`_${t}_${e[t]}`)).join("")}`}function We(e){return e===!0||mu(e)&&!e.binned}
function en(e){return e==="binned"||mu(e)&&e.binned===!0}function mu(e){return V(e)}function A1(e){return W(e,"param")}function D$(e){switch(e){case Da:case $a:case Ga:case Xn:case Gi:case Hi:case Ko:case Ha:case Vo:case Xo:case Kn:
return 6;case Qo:return 4;default:return 10}}function ih(e){return W(e,"expr")}function tn(e,{level:t}={level:0}){let n=q(e||{}),r={};for(let i of n)r[i]=t===0?
hr(e[i]):tn(e[i],{level:t-1});return r}function rR(e){let{anchor:t,frame:n,offset:r,orient:i,angle:a,limit:o,color:s,subtitleColor:u,subtitleFont:l,subtitleFontSize:c,
subtitleFontStyle:f,subtitleFontWeight:d,subtitleLineHeight:h,subtitlePadding:p,...g}=e,m={...g,...s?{fill:s}:{}},y={...t?{anchor:t}:{},...n?{frame:n}:{},...r?{
offset:r}:{},...i?{orient:i}:{},...a!==void 0?{angle:a}:{},...o!==void 0?{limit:o}:{}},b={...u?{subtitleColor:u}:{},...l?{subtitleFont:l}:{},...c?{subtitleFontSize:c}:
{},...f?{subtitleFontStyle:f}:{},...d?{subtitleFontWeight:d}:{},...h?{subtitleLineHeight:h}:{},...p?{subtitlePadding:p}:{}},x=Id(e,["align","baseline","dx","dy",
"limit"]);return{titleMarkConfig:m,subtitleMarkConfig:x,nonMarkTitleProperties:y,subtitle:b}}function Io(e){return X(e)||R(e)&&X(e[0])}function ne(e){return W(e,
"signal")}function yu(e){return W(e,"step")}function iR(e){return R(e)?!1:W(e,"fields")&&!W(e,"data")}function Wae(e){return R(e)?!1:W(e,"fields")&&W(e,"data")}
function Ma(e){return R(e)?!1:W(e,"field")&&W(e,"data")}var Gae={aria:1,description:1,ariaRole:1,ariaRoleDescription:1,blend:1,opacity:1,fill:1,fillOpacity:1,stroke:1,
strokeCap:1,strokeWidth:1,strokeOpacity:1,strokeDash:1,strokeDashOffset:1,strokeJoin:1,strokeOffset:1,strokeMiterLimit:1,startAngle:1,endAngle:1,padAngle:1,innerRadius:1,
outerRadius:1,size:1,shape:1,interpolate:1,tension:1,orient:1,align:1,baseline:1,text:1,dir:1,dx:1,dy:1,ellipsis:1,limit:1,radius:1,theta:1,angle:1,font:1,fontSize:1,
fontWeight:1,fontStyle:1,lineBreak:1,lineHeight:1,cursor:1,href:1,tooltip:1,cornerRadius:1,cornerRadiusTopLeft:1,cornerRadiusTopRight:1,cornerRadiusBottomLeft:1,
cornerRadiusBottomRight:1,aspect:1,width:1,height:1,url:1,smooth:1},Hae=q(Gae),Yae={arc:1,area:1,group:1,image:1,line:1,path:1,rect:1,rule:1,shape:1,symbol:1,text:1,
trail:1},AE=["cornerRadius","cornerRadiusTopLeft","cornerRadiusTopRight","cornerRadiusBottomLeft","cornerRadiusBottomRight"],Vae=" \u2013 ";function aR(e){let t=R(
e.condition)?e.condition.map($$):$$(e.condition);return{...hr(e),condition:t}}function hr(e){if(ih(e)){let{expr:t,...n}=e;return{signal:t,...n}}return e}function $$(e){
if(ih(e)){let{expr:t,...n}=e;return{signal:t,...n}}return e}function Ve(e){if(ih(e)){let{expr:t,...n}=e;return{signal:t,...n}}return ne(e)?e:e!==void 0?{value:e}:
void 0}function Xae(e){return ne(e)?e.signal:I(e)}function T$(e){return ne(e)?e.signal:I(e.value)}function ni(e){return ne(e)?e.signal:e==null?null:I(e)}function Kae(e,t,n){
for(let r of n){let i=Ui(r,t.markDef,t.config);i!==void 0&&(e[r]=Ve(i))}return e}function oR(e){return[].concat(e.type,e.style??[])}function Re(e,t,n,r={}){let{
vgChannel:i,ignoreVgConfig:a}=r;return i&&W(t,i)?t[i]:t[e]!==void 0?t[e]:a&&(!i||i===e)?void 0:Ui(e,t,n,r)}function Ui(e,t,n,{vgChannel:r}={}){let i=EE(e,t,n.style);
return Ct(r?i:void 0,i,r?n[t.type][r]:void 0,n[t.type][e],r?n.mark[r]:n.mark[e])}function EE(e,t,n){return sR(e,oR(t),n)}function sR(e,t,n){t=H(t);let r;for(let i of t){
let a=n[i];W(a,e)&&(r=a[e])}return r}function uR(e,t){return H(e).reduce((n,r)=>(n.field.push(K(r,t)),n.order.push(r.sort??"ascending"),n),{field:[],order:[]})}
function lR(e,t){let n=[...e];return t.forEach(r=>{for(let i of n)if(Dr(i,r))return;n.push(r)}),n}function cR(e,t){return Dr(e,t)||!t?e:e?[...H(e),...H(t)].join(
", "):t}function fR(e,t){let n=e.value,r=t.value;if(n==null||r===null)return{explicit:e.explicit,value:null};if((Io(n)||ne(n))&&(Io(r)||ne(r)))return{explicit:e.
explicit,value:cR(n,r)};if(Io(n)||ne(n))return{explicit:e.explicit,value:n};if(Io(r)||ne(r))return{explicit:e.explicit,value:r};if(!Io(n)&&!ne(n)&&!Io(r)&&!ne(r))
return{explicit:e.explicit,value:lR(n,r)};throw new Error("It should never reach here")}function M3(e){return`Invalid specification ${Ue(e)}. Make sure the spec\
ification includes at least one of the following properties: "mark", "layer", "facet", "hconcat", "vconcat", "concat", or "repeat".`}var Qae='Autosize "fit" onl\
y works for single views and layered views.';function R$(e){return`${e=="width"?"Width":"Height"} "container" only works for single views and layered views.`}function O$(e){
let t=e=="width"?"Width":"Height",n=e=="width"?"x":"y";return`${t} "container" only works well with autosize "fit" or "fit-${n}".`}function N$(e){return e?`Drop\
ping "fit-${e}" because spec has discrete ${Qn(e)}.`:'Dropping "fit" because spec has discrete size.'}function D3(e){return`Unknown field for ${e}. Cannot calcu\
late view size.`}function B$(e){return`Cannot project a selection on encoding channel "${e}", which has no field.`}function Zae(e,t){return`Cannot project a sel\
ection on encoding channel "${e}" as it uses an aggregate function ("${t}").`}function Jae(e){return`The "nearest" transform is not supported for ${e} marks.`}function dR(e){
return`Selection not supported for ${e} yet.`}function eoe(e){return`Cannot find a selection named "${e}".`}var toe="Scale bindings are currently only supported\
 for scales with unbinned, continuous domains.",noe="Sequntial scales are deprecated. The available quantitative scale type values are linear, log, pow, sqrt, s\
ymlog, time and utc",roe="Legend bindings are only supported for selections over an individual field or encoding channel.";function ioe(e){return`Lookups can on\
ly be performed on selection parameters. "${e}" is a variable parameter.`}function aoe(e){return`Cannot define and lookup the "${e}" selection in the same view.\
 Try moving the lookup into a second, layered view?`}var ooe="The same selection must be used to override scale domains in a layered view.",soe='Interval select\
ions should be initialized using "x", "y", "longitude", or "latitude" keys.';function uoe(e){return`Unknown repeated value "${e}".`}function P$(e){return`The "c\
olumns" property cannot be used when "${e}" has nested row/column.`}var loe="Multiple timer selections in one unit spec are not supported. Ignoring all but the \
first.",$3="Animation involving facet, layer, or concat is currently unsupported.";function coe(e){return`A "field" or "encoding" must be specified when using a\
 selection as a scale domain. Using "field": ${I(e)}.`}function foe(e,t,n,r){return`${e.length?"Multiple ":"No "}matching ${I(t)} encoding found for selection ${I(
n.param)}. Using "field": ${I(r)}.`}var doe="Axes cannot be shared in concatenated or repeated views yet (https://github.com/vega/vega-lite/issues/2415).";function hoe(e){
return`Unrecognized parse "${e}".`}function I$(e,t,n){return`An ancestor parsed field "${e}" as ${n} but a child wants to parse the field as ${t}.`}var poe="Att\
empt to add the same child twice.";function goe(e){return`Ignoring an invalid transform: ${Ue(e)}.`}var moe='If "from.fields" is not specified, "as" has to be a\
 string that specifies the key to be used for the data from the secondary source.';function z$(e){return`Config.customFormatTypes is not true, thus custom forma\
t type and format for channel ${e} are dropped.`}function yoe(e){let{parentProjection:t,projection:n}=e;return`Layer's shared projection ${Ue(t)} is overridden \
by a child projection ${Ue(n)}.`}var boe="Arc marks uses theta channel rather than angle, replacing angle with theta.";function xoe(e){return`${e}Offset dropped\
 because ${e} is continuous`}function voe(e,t,n){return`Channel ${e} is a ${t}. Converted to {value: ${Ue(n)}}.`}function hR(e){return`Invalid field type "${e}"\
.`}function woe(e,t){return`Invalid field type "${e}" for aggregate: "${t}", using "quantitative" instead.`}function Aoe(e){return`Invalid aggregation operator \
"${e}".`}function pR(e,t){let{fill:n,stroke:r}=t;return`Dropping color ${e} as the plot also has ${n&&r?"fill and stroke":n?"fill":"stroke"}.`}function Eoe(e){return`\
Position range does not support relative band size for ${e}.`}function SE(e,t){return`Dropping ${Ue(e)} from channel "${t}" since it does not contain any data f\
ield, datum, value, or signal.`}var Soe="Line marks cannot encode size with a non-groupby field. You may want to use trail marks instead.";function E1(e,t,n){return`${e}\
 dropped as it is incompatible with "${t}".`}function Coe(e){return`${e}-encoding is dropped as ${e} is not a valid encoding channel.`}function _oe(e){return`${e}\
 encoding should be discrete (ordinal / nominal / binned).`}function koe(e){return`${e} encoding should be discrete (ordinal / nominal / binned) or use a discre\
tizing scale (e.g. threshold).`}function Foe(e){return`Facet encoding dropped as ${e.join(" and ")} ${e.length>1?"are":"is"} also specified.`}function uE(e,t){return`\
Using discrete channel "${e}" to encode "${t}" field can be misleading as it does not encode ${t==="ordinal"?"order":"magnitude"}.`}function Moe(e){return`The ${e}\
 for range marks cannot be an expression`}function Doe(e,t){return`Line mark is for continuous lines and thus cannot be used with ${e&&t?"x2 and y2":e?"x2":"y2"}\
. We will use the rule mark (line segments) instead.`}function $oe(e,t){return`Specified orient "${e}" overridden with "${t}".`}function Toe(e){return`Cannot us\
e the scale property "${e}" with non-color channel.`}function Roe(e){return`Cannot use the relative band size with ${e} scale.`}function Ooe(e){return`Using una\
ggregated domain with raw field has no effect (${Ue(e)}).`}function Noe(e){return`Unaggregated domain not applicable for "${e}" since it produces values outside\
 the origin domain of the source data.`}function Boe(e){return`Unaggregated domain is currently unsupported for log scale (${Ue(e)}).`}function Poe(e){return`Ca\
nnot apply size to non-oriented mark "${e}".`}function Ioe(e,t,n){return`Channel "${e}" does not work with "${t}" scale. We are using "${n}" scale instead.`}function zoe(e,t){
return`FieldDef does not work with "${e}" scale. We are using "${t}" scale instead.`}function gR(e,t,n){return`${n}-scale's "${t}" is dropped as it does not wor\
k with ${e} scale.`}function mR(e){return`The step for "${e}" is dropped because the ${e==="width"?"x":"y"} is continuous.`}function Loe(e,t,n,r){return`Conflic\
ting ${t.toString()} property "${e.toString()}" (${Ue(n)} and ${Ue(r)}). Using ${Ue(n)}.`}function Uoe(e,t,n,r){return`Conflicting ${t.toString()} property "${e.
toString()}" (${Ue(n)} and ${Ue(r)}). Using the union of the two domains.`}function qoe(e){return`Setting the scale to be independent for "${e}" means we also h\
ave to set the guide (axis or legend) to be independent.`}function joe(e){return`Dropping sort property ${Ue(e)} as unioned domains only support boolean or op "\
count", "min", and "max".`}var L$="Domains that should be unioned has conflicting sort properties. Sort will be set to true.",Woe="Detected faceted independent \
scales that union domain of multiple fields from different data sources. We will use the first field. The result view size may be incorrect.",Goe="Detected face\
ted independent scales that union domain of the same fields from different source. We will assume that this is the same field from a different fork of the same \
data source. However, if this is not the case, the result view size may be incorrect.",Hoe="Detected faceted independent scales that union domain of multiple fi\
elds from the same data source. We will use the first field. The result view size may be incorrect.";function Yoe(e,t){return`Unioning discrete legend values fr\
om ${e} and ${t}.`}function Voe(e){return`Cannot stack "${e}" if there is already "${e}2".`}function Xoe(e){return`Stack is applied to a non-linear scale (${e})\
.`}function Koe(e){return`Stacking is applied even though the aggregate function is non-summative ("${e}").`}function Lm(e,t){return`Invalid ${e}: ${Ue(t)}.`}function Qoe(e){
return`Dropping day from datetime ${Ue(e)} as day cannot be combined with other units.`}function Zoe(e,t){return`${t?"extent ":""}${t&&e?"and ":""}${e?"center ":
""}${t&&e?"are ":"is "}not needed when data are aggregated.`}function Joe(e,t,n){return`${e} is not usually used with ${t} for ${n}.`}function ese(e,t){return`C\
ontinuous axis should not have customized aggregation function ${e}; ${t} already agregates the axis.`}function U$(e){return`1D error band does not support ${e}\
.`}function yR(e){return`Channel ${e} is required for "binned" bin.`}function tse(e){return`Channel ${e} should not be used with "binned" bin.`}function nse(e){
return`Domain for ${e} is required for threshold scale.`}var bR=lc(ph),iu=bR;function rse(e){return iu=e,iu}function ise(){return iu=bR,iu}function T3(...e){iu.
error(...e)}function j(...e){iu.warn(...e)}function ase(...e){iu.debug(...e)}function bu(e){if(e&&V(e)){for(let t of O3)if(W(e,t))return!0}return!1}var xR=["jan\
uary","february","march","april","may","june","july","august","september","october","november","december"],ose=xR.map(e=>e.substr(0,3)),vR=["sunday","monday","t\
uesday","wednesday","thursday","friday","saturday"],sse=vR.map(e=>e.substr(0,3));function use(e){if(x3(e)&&(e=+e),we(e))return e>4&&j(Lm("quarter",e)),e-1;throw new Error(
Lm("quarter",e))}function lse(e){if(x3(e)&&(e=+e),we(e))return e-1;{let t=e.toLowerCase(),n=xR.indexOf(t);if(n!==-1)return n;let r=t.substr(0,3),i=ose.indexOf(r);
if(i!==-1)return i;throw new Error(Lm("month",e))}}function cse(e){if(x3(e)&&(e=+e),we(e))return e%7;{let t=e.toLowerCase(),n=vR.indexOf(t);if(n!==-1)return n;let r=t.
substr(0,3),i=sse.indexOf(r);if(i!==-1)return i;throw new Error(Lm("day",e))}}function R3(e,t){let n=[];if(t&&e.day!==void 0&&q(e).length>1&&(j(Qoe(e)),e=de(e),
delete e.day),e.year!==void 0?n.push(e.year):n.push(2012),e.month!==void 0){let r=t?lse(e.month):e.month;n.push(r)}else if(e.quarter!==void 0){let r=t?use(e.quarter):
e.quarter;n.push(we(r)?r*3:`${r}*3`)}else n.push(0);if(e.date!==void 0)n.push(e.date);else if(e.day!==void 0){let r=t?cse(e.day):e.day;n.push(we(r)?r+1:`${r}+1`)}else
n.push(1);for(let r of["hours","minutes","seconds","milliseconds"]){let i=e[r];n.push(typeof i>"u"?0:i)}return n}function au(e){let n=R3(e,!0).join(", ");return e.
utc?`utc(${n})`:`datetime(${n})`}function fse(e){let n=R3(e,!1).join(", ");return e.utc?`utc(${n})`:`datetime(${n})`}function dse(e){let t=R3(e,!0);return e.utc?
+new Date(Date.UTC(...t)):+new Date(...t)}var wR={year:1,quarter:1,month:1,week:1,day:1,dayofyear:1,date:1,hours:1,minutes:1,seconds:1,milliseconds:1},O3=q(wR);
function hse(e){return Y(wR,e)}function xu(e){return V(e)?e.binned:AR(e)}function AR(e){return e?.startsWith("binned")}function N3(e){return e.startsWith("utc")}
function pse(e){return e.substring(3)}var gse={"year-month":"%b %Y ","year-month-date":"%b %d, %Y "};function S1(e){return O3.filter(t=>SR(e,t))}function ER(e){
let t=S1(e);return t[t.length-1]}function SR(e,t){let n=e.indexOf(t);return!(n<0||n>0&&t==="seconds"&&e.charAt(n-1)==="i"||e.length>n+3&&t==="day"&&e.charAt(n+3)===
"o"||n>0&&t==="year"&&e.charAt(n-1)==="f")}function mse(e,t,{end:n}={end:!1}){let r=jT(t),i=N3(e)?"utc":"";function a(u){return u==="quarter"?`(${i}quarter(${r}\
)-1)`:`${i}${u}(${r})`}let o,s={};for(let u of O3)SR(e,u)&&(s[u]=a(u),o=u);return n&&(s[o]+="+1"),fse(s)}function CR(e){if(!e)return;let t=S1(e);return`timeUnit\
Specifier(${Ue(t)}, ${Ue(gse)})`}function yse(e,t,n){if(!e)return;let r=CR(e);return`${n||N3(e)?"utc":"time"}Format(${t}, ${r})`}function Gt(e){if(!e)return;let t;
return X(e)?AR(e)?t={unit:e.substring(6),binned:!0}:t={unit:e}:V(e)&&(t={...e,...e.unit?{unit:e.unit}:{}}),N3(t.unit)&&(t.utc=!0,t.unit=pse(t.unit)),t}function bse(e){
let{utc:t,...n}=Gt(e);return n.unit?(t?"utc":"")+q(n).map(r=>rt(`${r==="unit"?"":`_${r}_`}${n[r]}`)).join(""):`${t?"utc":""}timeunit${q(n).map(r=>rt(`_${r}_${n[r]}`)).
join("")}`}function _R(e,t=n=>n){let n=Gt(e),r=ER(n.unit);if(r&&r!=="day"){let i={year:2001,month:1,date:1,hours:0,minutes:0,seconds:0,milliseconds:0},{step:a,part:o}=kR(
r,n.step),s={...i,[o]:+i[o]+a};return`${t(au(s))} - ${t(au(i))}`}}var xse={year:1,month:1,date:1,hours:1,minutes:1,seconds:1,milliseconds:1};function vse(e){return Y(
xse,e)}function kR(e,t=1){if(vse(e))return{part:e,step:t};switch(e){case"day":case"dayofyear":return{part:"date",step:t};case"quarter":return{part:"month",step:t*
3};case"week":return{part:"date",step:t*7}}}function wse(e){return W(e,"param")}function B3(e){return!!e?.field&&e.equal!==void 0}function P3(e){return!!e?.field&&
e.lt!==void 0}function I3(e){return!!e?.field&&e.lte!==void 0}function z3(e){return!!e?.field&&e.gt!==void 0}function L3(e){return!!e?.field&&e.gte!==void 0}function U3(e){
if(e?.field){if(R(e.range)&&e.range.length===2)return!0;if(ne(e.range))return!0}return!1}function q3(e){return!!e?.field&&(R(e.oneOf)||R(e.in))}function Ase(e){
return!!e?.field&&e.valid!==void 0}function FR(e){return q3(e)||B3(e)||U3(e)||P3(e)||z3(e)||I3(e)||L3(e)}function Pi(e,t){return O1(e,{timeUnit:t,wrapTime:!0})}
function Ese(e,t){return e.map(n=>Pi(n,t))}function MR(e,t=!0){let{field:n}=e,r=Gt(e.timeUnit),{unit:i,binned:a}=r||{},o=K(e,{expr:"datum"}),s=i?`time(${a?o:mse(
i,n)})`:o;if(B3(e))return`${s}===${Pi(e.equal,i)}`;if(P3(e)){let u=e.lt;return`${s}<${Pi(u,i)}`}else if(z3(e)){let u=e.gt;return`${s}>${Pi(u,i)}`}else if(I3(e)){
let u=e.lte;return`${s}<=${Pi(u,i)}`}else if(L3(e)){let u=e.gte;return`${s}>=${Pi(u,i)}`}else{if(q3(e))return`indexof([${Ese(e.oneOf,i).join(",")}], ${s}) !== -\
1`;if(Ase(e))return C1(s,e.valid);if(U3(e)){let{range:u}=tn(e),l=ne(u)?{signal:`${u.signal}[0]`}:u[0],c=ne(u)?{signal:`${u.signal}[1]`}:u[1];if(l!==null&&c!==null&&
t)return`inrange(${s}, [${Pi(l,i)}, ${Pi(c,i)}])`;let f=[];return l!==null&&f.push(`${s} >= ${Pi(l,i)}`),c!==null&&f.push(`${s} <= ${Pi(c,i)}`),f.length>0?f.join(
" && "):"true"}}throw new Error(`Invalid field predicate: ${Ue(e)}`)}function C1(e,t=!0){return t?`isValid(${e}) && isFinite(+${e})`:`!isValid(${e}) || !isFinit\
e(+${e})`}function Sse(e){return FR(e)&&e.timeUnit?{...e,timeUnit:Gt(e.timeUnit)}:e}var ah={quantitative:"quantitative",ordinal:"ordinal",temporal:"temporal",nominal:"\
nominal",geojson:"geojson"};function Cse(e){return e==="quantitative"||e==="temporal"}function j3(e){return e==="ordinal"||e==="nominal"}var ou=ah.quantitative,
W3=ah.ordinal,Gl=ah.temporal,G3=ah.nominal,ac=ah.geojson;function _se(e){if(e)switch(e=e.toLowerCase(),e){case"q":case ou:return"quantitative";case"t":case Gl:return"\
temporal";case"o":case W3:return"ordinal";case"n":case G3:return"nominal";case ac:return"geojson"}}var nn={LINEAR:"linear",LOG:"log",POW:"pow",SQRT:"sqrt",TIME:"\
time",UTC:"utc",POINT:"point",BAND:"band"},CE={linear:"numeric",log:"numeric",pow:"numeric",sqrt:"numeric",symlog:"numeric",identity:"numeric",sequential:"numer\
ic",time:"time",utc:"time",ordinal:"ordinal","bin-ordinal":"bin-ordinal",point:"ordinal-position",band:"ordinal-position",quantile:"discretizing",quantize:"disc\
retizing",threshold:"discretizing"};function kse(e,t){let n=CE[e],r=CE[t];return n===r||n==="ordinal-position"&&r==="time"||r==="ordinal-position"&&n==="time"}var Fse={
linear:0,log:1,pow:1,sqrt:1,symlog:1,identity:1,sequential:1,time:0,utc:0,point:10,band:11,ordinal:0,"bin-ordinal":0,quantile:0,quantize:0,threshold:0};function q$(e){
return Fse[e]}var DR=new Set(["linear","log","pow","sqrt","symlog"]),$R=new Set([...DR,"time","utc"]);function TR(e){return DR.has(e)}var RR=new Set(["quantile",
"quantize","threshold"]),Mse=new Set([...$R,...RR,"sequential","identity"]),Dse=new Set(["ordinal","bin-ordinal","point","band"]);function ft(e){return Dse.has(
e)}function ai(e){return Mse.has(e)}function zi(e){return $R.has(e)}function Hl(e){return RR.has(e)}var $se={pointPadding:.5,barBandPaddingInner:.1,rectBandPaddingInner:0,
tickBandPaddingInner:.25,bandWithNestedOffsetPaddingInner:.2,bandWithNestedOffsetPaddingOuter:.2,minBandSize:2,minFontSize:8,maxFontSize:40,minOpacity:.3,maxOpacity:.8,
minSize:4,minStrokeWidth:1,maxStrokeWidth:4,quantileCount:4,quantizeCount:4,zero:!0,framesPerSecond:2,animationDuration:5};function Tse(e){return!X(e)&&W(e,"nam\
e")}function OR(e){return W(e,"param")}function Rse(e){return W(e,"unionWith")}function Ose(e){return V(e)&&"field"in e}var Nse={type:1,domain:1,domainMax:1,domainMin:1,
domainMid:1,domainRaw:1,align:1,range:1,rangeMax:1,rangeMin:1,scheme:1,bins:1,reverse:1,round:1,clamp:1,nice:1,base:1,exponent:1,constant:1,interpolate:1,zero:1,
padding:1,paddingInner:1,paddingOuter:1},{type:K2e,domain:Q2e,range:Z2e,rangeMax:J2e,rangeMin:eve,scheme:tve,...Bse}=Nse,Pse=q(Bse);function _E(e,t){switch(t){case"\
type":case"domain":case"reverse":case"range":return!0;case"scheme":case"interpolate":return!["point","band","identity"].includes(e);case"bins":return!["point","\
band","identity","ordinal"].includes(e);case"round":return zi(e)||e==="band"||e==="point";case"padding":case"rangeMin":case"rangeMax":return zi(e)||["point","ba\
nd"].includes(e);case"paddingOuter":case"align":return["point","band"].includes(e);case"paddingInner":return e==="band";case"domainMax":case"domainMid":case"dom\
ainMin":case"domainRaw":case"clamp":return zi(e);case"nice":return zi(e)||e==="quantize"||e==="threshold";case"exponent":return e==="pow";case"base":return e===
"log";case"constant":return e==="symlog";case"zero":return ai(e)&&!Ee(["log","time","utc","threshold","quantile"],e)}}function NR(e,t){switch(t){case"interpolat\
e":case"scheme":case"domainMid":return Ll(e)?void 0:Toe(t);case"align":case"type":case"bins":case"domain":case"domainMax":case"domainMin":case"domainRaw":case"r\
ange":case"base":case"exponent":case"constant":case"nice":case"padding":case"paddingInner":case"paddingOuter":case"rangeMax":case"rangeMin":case"reverse":case"r\
ound":case"clamp":case"zero":return}}function Ise(e,t){return Ee([W3,G3],t)?e===void 0||ft(e):t===Gl?Ee([nn.TIME,nn.UTC,void 0],e):t===ou?TR(e)||Hl(e)||e===void 0:
!0}function zse(e,t,n=!1){if(!Vi(e))return!1;switch(e){case Xe:case Tt:case Oa:case ic:case Or:case ci:return zi(t)||t==="band"?!0:t==="point"?!n:!1;case Yo:return Ee(
["linear","band"],t);case Ga:case Ko:case Ha:case Vo:case Xo:case pu:return zi(t)||Hl(t)||Ee(["band","point","ordinal"],t);case Xn:case Gi:case Hi:return t!=="b\
and";case Qo:case Kn:return t==="ordinal"||Hl(t)}}function Lse(e){return V(e)&&"value"in e}var Bn={arc:"arc",area:"area",bar:"bar",image:"image",line:"line",point:"\
point",rect:"rect",rule:"rule",text:"text",tick:"tick",trail:"trail",circle:"circle",square:"square",geoshape:"geoshape"},BR=Bn.arc,_1=Bn.area,k1=Bn.bar,Use=Bn.
image,F1=Bn.line,M1=Bn.point,qse=Bn.rect,Um=Bn.rule,PR=Bn.text,H3=Bn.tick,jse=Bn.trail,Y3=Bn.circle,V3=Bn.square,IR=Bn.geoshape;function Jo(e){return["line","ar\
ea","trail"].includes(e)}function qd(e){return["rect","bar","image","arc","tick"].includes(e)}var Wse=new Set(q(Bn));function qi(e){return W(e,"type")}var Gse=[
"stroke","strokeWidth","strokeDash","strokeDashOffset","strokeOpacity","strokeJoin","strokeMiterLimit"],Hse=["fill","fillOpacity"],Yse=[...Gse,...Hse],Vse={color:1,
filled:1,invalid:1,order:1,radius2:1,theta2:1,timeUnitBandSize:1,timeUnitBandPosition:1},j$=q(Vse),lE=["binSpacing","continuousBandSize","discreteBandSize","min\
BandSize"],Xse={area:["line","point"],bar:lE,rect:lE,line:["point"],tick:["bandSize","thickness",...lE]},Kse={color:"#4c78a8",invalid:"break-paths-show-path-dom\
ains",timeUnitBandSize:1},Qse={mark:1,arc:1,area:1,bar:1,circle:1,image:1,line:1,point:1,rect:1,rule:1,square:1,text:1,tick:1,trail:1,geoshape:1},zR=q(Qse);function su(e){
return W(e,"band")}var Zse={horizontal:["cornerRadiusTopRight","cornerRadiusBottomRight"],vertical:["cornerRadiusTopLeft","cornerRadiusTopRight"]},Jse=5,X3={binSpacing:0,
continuousBandSize:Jse,minBandSize:.25,timeUnitBandPosition:.5},eue={...X3,binSpacing:1},tue={...X3,thickness:1};function nue(e){return qi(e)?e.type:e}function LR(e,{
isPath:t}){return e===void 0||e==="break-paths-show-path-domains"?t?"break-paths-show-domains":"filter":e===null?"show":e}function K3({markDef:e,config:t,scaleChannel:n,
scaleType:r,isCountAggregate:i}){if(!r||!ai(r)||i)return"always-valid";let a=LR(Re("invalid",e,t),{isPath:Jo(e.type)});return t.scale?.invalid?.[n]!==void 0?"sh\
ow":a}function rue(e){return e==="break-paths-filter-domains"||e==="break-paths-show-domains"}function UR({scaleName:e,scale:t,mode:n}){let r=`domain('${e}')`;if(!t||
!e)return;let i=`${r}[0]`,a=`peek(${r})`,o=t.domainHasZero();return o==="definitely"?{scale:e,value:0}:o==="maybe"?{signal:`scale('${e}', inrange(0, ${r}) ? 0 :\
 ${n==="zeroOrMin"?i:a})`}:{signal:`scale('${e}', ${n==="zeroOrMin"?i:a})`}}function qR({scaleChannel:e,channelDef:t,scale:n,scaleName:r,markDef:i,config:a}){let o=n?.
get("type"),s=si(t),u=w1(s?.aggregate),l=K3({scaleChannel:e,markDef:i,config:a,scaleType:o,isCountAggregate:u});if(s&&l==="show"){let c=a.scale.invalid?.[e]??"z\
ero-or-min";return{test:C1(K(s,{expr:"datum"}),!1),...iue(c,n,r)}}}function iue(e,t,n){if(Lse(e)){let{value:r}=e;return ne(r)?{signal:r.signal}:{value:r}}return UR(
{scale:t,scaleName:n,mode:"zeroOrMin"})}function Q3(e){let{channel:t,channelDef:n,markDef:r,scale:i,scaleName:a,config:o}=e,s=gu(t),u=Z3(e),l=qR({scaleChannel:s,
channelDef:n,scale:i,scaleName:a,markDef:r,config:o});return l!==void 0?[l,u]:u}function aue(e){let{datum:t}=e;return bu(t)?au(t):`${Ue(t)}`}function Js(e,t,n,r){
let i={};if(t&&(i.scale=t),Xi(e)){let{datum:a}=e;bu(a)?i.signal=au(a):ne(a)?i.signal=a.signal:ih(a)?i.signal=a.expr:i.value=a}else i.field=K(e,n);if(r){let{offset:a,
band:o}=r;a&&(i.offset=a),o&&(i.band=o)}return i}function qm({scaleName:e,fieldOrDatumDef:t,fieldOrDatumDef2:n,offset:r,startSuffix:i,endSuffix:a="end",bandPosition:o=.5}){
let s=!ne(o)&&0<o&&o<1?"datum":void 0,u=K(t,{expr:s,suffix:i}),l=n!==void 0?K(n,{expr:s}):K(t,{suffix:a,expr:s}),c={};if(o===0||o===1){c.scale=e;let f=o===0?u:l;
c.field=f}else{let f=ne(o)?`(1-${o.signal}) * ${u} + ${o.signal} * ${l}`:`${1-o} * ${u} + ${o} * ${l}`;c.signal=`scale("${e}", ${f})`}return r&&(c.offset=r),c}function oue({
scaleName:e,fieldDef:t}){let n=K(t,{expr:"datum"}),r=K(t,{expr:"datum",suffix:"end"});return`abs(scale("${e}", ${r}) - scale("${e}", ${n}))`}function Z3({channel:e,
channelDef:t,channel2Def:n,markDef:r,config:i,scaleName:a,scale:o,stack:s,offset:u,defaultRef:l,bandPosition:c}){if(t){if(he(t)){let f=o?.get("type");if(Nn(t)){
c??=Ba({fieldDef:t,fieldDef2:n,markDef:r,config:i});let{bin:d,timeUnit:h,type:p}=t;if(We(d)||c&&h&&p===Gl)return s?.impute?Js(t,a,{binSuffix:"mid"},{offset:u}):
c&&!ft(f)?qm({scaleName:a,fieldOrDatumDef:t,bandPosition:c,offset:u}):Js(t,a,ch(t,e)?{binSuffix:"range"}:{},{offset:u});if(en(d)){if(U(n))return qm({scaleName:a,
fieldOrDatumDef:t,fieldOrDatumDef2:n,bandPosition:c,offset:u});j(yR(e===Xe?li:Wi))}}return Js(t,a,ft(f)?{binSuffix:"range"}:{},{offset:u,band:f==="band"?c??t.bandPosition??
.5:void 0})}else if(oi(t)){let f=t.value,d=u?{offset:u}:{};return{...Bd(e,f),...d}}}return ae(l)&&(l=l()),l&&{...l,...u?{offset:u}:{}}}function Bd(e,t){return Ee(
["x","x2"],e)&&t==="width"?{field:{group:"width"}}:Ee(["y","y2"],e)&&t==="height"?{field:{group:"height"}}:Ve(t)}function uu(e){return e&&e!=="number"&&e!=="tim\
e"}function jR(e,t,n){return`${e}(${t}${n?`, ${Ue(n)}`:""})`}function J3({fieldOrDatumDef:e,format:t,formatType:n,expr:r,normalizeStack:i,config:a}){if(uu(n))return ri(
{fieldOrDatumDef:e,format:t,formatType:n,expr:r,config:a});let o=WR(e,r,i),s=Yl(e);if(t===void 0&&n===void 0&&a.customFormatTypes){if(s==="quantitative"){if(i&&
a.normalizedNumberFormatType)return ri({fieldOrDatumDef:e,format:a.normalizedNumberFormat,formatType:a.normalizedNumberFormatType,expr:r,config:a});if(a.numberFormatType)
return ri({fieldOrDatumDef:e,format:a.numberFormat,formatType:a.numberFormatType,expr:r,config:a})}if(s==="temporal"&&a.timeFormatType&&U(e)&&e.timeUnit===void 0)
return ri({fieldOrDatumDef:e,format:a.timeFormat,formatType:a.timeFormatType,expr:r,config:a})}function u(l){return U(l)?Gt(l.timeUnit)||{}:{unit:void 0,utc:void 0}}
if(Kl(e)){let{unit:l,utc:c}=u(e),f=uue({field:o,timeUnit:l,format:t,formatType:a.timeFormatType,rawTimeFormat:a.timeFormat,isUTCScale:c||vu(e)&&e.scale?.type===
nn.UTC});return f?{signal:f}:void 0}if(t=kE({type:s,specifiedFormat:t,config:a,normalizeStack:i}),U(e)&&We(e.bin)){let l=K(e,{expr:r,binSuffix:"end"});return{signal:oh(
o,l,t,n,a)}}else return t||Yl(e)==="quantitative"?{signal:`${YR(o,t)}`}:{signal:`isValid(${o}) ? ${o} : ""+${o}`}}function WR(e,t,n){return U(e)?n?`${K(e,{expr:t,
suffix:"end"})}-${K(e,{expr:t,suffix:"start"})}`:K(e,{expr:t}):aue(e)}function ri({fieldOrDatumDef:e,format:t,formatType:n,expr:r,normalizeStack:i,config:a,field:o}){
if(o??=WR(e,r,i),o!=="datum.value"&&U(e)&&We(e.bin)){let s=K(e,{expr:r,binSuffix:"end"});return{signal:oh(o,s,t,n,a)}}return{signal:jR(n,o,t)}}function GR(e,t,n,r,i,a){
if(!(X(r)&&uu(r))&&!(n===void 0&&r===void 0&&i.customFormatTypes&&Yl(e)==="quantitative"&&(i.normalizedNumberFormatType&&Vl(e)&&e.stack==="normalize"||i.numberFormatType))){
if(Vl(e)&&e.stack==="normalize"&&i.normalizedNumberFormat)return kE({type:"quantitative",config:i,normalizeStack:!0});if(Kl(e)){let o=U(e)?Gt(e.timeUnit)?.unit:
void 0;return o===void 0&&i.customFormatTypes&&i.timeFormatType?void 0:sue({specifiedFormat:n,timeUnit:o,config:i,omitTimeFormatConfig:a})}return kE({type:t,specifiedFormat:n,
config:i})}}function HR(e,t,n){if(e&&(ne(e)||e==="number"||e==="time"))return e;if(Kl(t)&&n!=="time"&&n!=="utc")return U(t)&&Gt(t?.timeUnit)?.utc?"utc":"time"}function kE({
type:e,specifiedFormat:t,config:n,normalizeStack:r}){if(X(t))return t;if(e===ou)return r?n.normalizedNumberFormat:n.numberFormat}function sue({specifiedFormat:e,
timeUnit:t,config:n,omitTimeFormatConfig:r}){return e||(t?{signal:CR(t)}:r?void 0:n.timeFormat)}function YR(e,t){return`format(${e}, "${t||""}")`}function W$(e,t,n,r){
return uu(n)?jR(n,e,t):YR(e,(X(t)?t:void 0)??r.numberFormat)}function oh(e,t,n,r,i){if(n===void 0&&r===void 0&&i.customFormatTypes&&i.numberFormatType)return oh(
e,t,i.numberFormat,i.numberFormatType,i);let a=W$(e,n,r,i),o=W$(t,n,r,i);return`${C1(e,!1)} ? "null" : ${a} + "${Vae}" + ${o}`}function uue({field:e,timeUnit:t,
format:n,formatType:r,rawTimeFormat:i,isUTCScale:a}){return!t||n?!t&&r?`${r}(${e}, ${Ue(n)})`:(n=X(n)?n:i,`${a?"utc":"time"}Format(${e}, ${Ue(n)})`):yse(t,e,a)}
var D1="min",lue={x:1,y:1,color:1,fill:1,stroke:1,strokeWidth:1,size:1,shape:1,fillOpacity:1,strokeOpacity:1,opacity:1,text:1};function G$(e){return Y(lue,e)}function cue(e){
return W(e,"encoding")}function Ta(e){return e&&(e.op==="count"||W(e,"field"))}function VR(e){return e&&R(e)}function sh(e){return W(e,"row")||W(e,"column")}function e5(e){
return W(e,"header")}function $1(e){return W(e,"facet")}function fue(e){return W(e,"param")}function due(e){return!X(e)&&W(e,"repeat")}function H$(e){let{field:t,
timeUnit:n,bin:r,aggregate:i}=e;return{...n?{timeUnit:n}:{},...r?{bin:r}:{},...i?{aggregate:i}:{},field:t}}function t5(e){return W(e,"sort")}function Ba({fieldDef:e,
fieldDef2:t,markDef:n,config:r}){if(he(e)&&e.bandPosition!==void 0)return e.bandPosition;if(U(e)){let{timeUnit:i,bin:a}=e;if(i&&!t)return Ui("timeUnitBandPositi\
on",n,r);if(We(a))return .5}}function XR({channel:e,fieldDef:t,fieldDef2:n,markDef:r,config:i,scaleType:a,useVlSizeChannel:o}){let s=Qn(e),u=Re(o?"size":s,r,i,{
vgChannel:s});if(u!==void 0)return u;if(U(t)){let{timeUnit:l,bin:c}=t;if(l&&!n)return{band:Ui("timeUnitBandSize",r,i)};if(We(c)&&!ft(a))return{band:1}}if(qd(r.type))
return a?ft(a)?i[r.type]?.discreteBandSize||{band:1}:i[r.type]?.continuousBandSize:i[r.type]?.discreteBandSize}function KR(e,t,n,r){return We(e.bin)||e.timeUnit&&
Nn(e)&&e.type==="temporal"?Ba({fieldDef:e,fieldDef2:t,markDef:n,config:r})!==void 0:!1}function QR(e){return W(e,"sort")&&!W(e,"field")}function uh(e){return W(
e,"condition")}function T1(e){let t=e?.condition;return!!t&&!R(t)&&U(t)}function lh(e){let t=e?.condition;return!!t&&!R(t)&&he(t)}function hue(e){let t=e?.condition;
return!!t&&(R(t)||oi(t))}function U(e){return W(e,"field")||e?.aggregate==="count"}function Yl(e){return e?.type}function Xi(e){return W(e,"datum")}function zo(e){
return Nn(e)&&!Wm(e)||jm(e)}function Y$(e){return Nn(e)&&e.type==="quantitative"&&!e.bin||jm(e)}function jm(e){return Xi(e)&&we(e.datum)}function he(e){return U(
e)||Xi(e)}function Nn(e){return e&&(W(e,"field")||e.aggregate==="count")&&W(e,"type")}function oi(e){return W(e,"value")}function vu(e){return W(e,"scale")||W(e,
"sort")}function Vl(e){return W(e,"axis")||W(e,"stack")||W(e,"impute")}function ZR(e){return W(e,"legend")}function JR(e){return W(e,"format")||W(e,"formatType")}
function pue(e){return Tr(e,["legend","axis","header","scale"])}function gue(e){return W(e,"op")}function K(e,t={}){let n=e.field,r=t.prefix,i=t.suffix,a="";if(yue(
e))n=bae("count");else{let o;if(!t.nofn)if(gue(e))o=e.op;else{let{bin:s,aggregate:u,timeUnit:l}=e;We(s)?(o=nR(s),i=(t.binSuffix??"")+(t.suffix??"")):u?Zo(u)?(a=
`["${n}"]`,n=`argmax_${u.argmax}`):Na(u)?(a=`["${n}"]`,n=`argmin_${u.argmin}`):o=String(u):l&&!xu(l)&&(o=bse(l),i=(!["range","mid"].includes(t.binSuffix)&&t.binSuffix||
"")+(t.suffix??""))}o&&(n=n?`${o}_${n}`:o)}return i&&(n=`${n}_${i}`),r&&(n=`${r}_${n}`),t.forAs?eh(n):t.expr?hae(n,t.expr)+a:ii(n)+a}function Wm(e){switch(e.type){case"\
nominal":case"ordinal":case"geojson":return!0;case"quantitative":return U(e)&&!!e.bin;case"temporal":return!1}throw new Error(hR(e.type))}function mue(e){return vu(
e)&&Hl(e.scale?.type)}function yue(e){return e.aggregate==="count"}function bue(e,t){let{field:n,bin:r,timeUnit:i,aggregate:a}=e;if(a==="count")return t.countTitle;
if(We(r))return`${n} (binned)`;if(i&&!xu(i)){let o=Gt(i)?.unit;if(o)return`${n} (${S1(o).join("-")})`}else if(a)return Zo(a)?`${n} for max ${a.argmax}`:Na(a)?`${n}\
 for min ${a.argmin}`:`${p1(a)} of ${n}`;return n}function xue(e){let{aggregate:t,bin:n,timeUnit:r,field:i}=e;if(Zo(t))return`${i} for argmax(${t.argmax})`;if(Na(
t))return`${i} for argmin(${t.argmin})`;let a=r&&!xu(r)?Gt(r):void 0,o=t||a?.unit||a?.maxbins&&"timeunit"||We(n)&&"bin";return o?`${o.toUpperCase()}(${i})`:i}var eO=(e,t)=>{
switch(t.fieldTitle){case"plain":return e.field;case"functional":return xue(e);default:return bue(e,t)}},tO=eO;function nO(e){tO=e}function vue(){nO(eO)}function Ul(e,t,{
allowDisabling:n,includeDefault:r=!0}){let i=n5(e)?.title;if(!U(e))return i??e.title;let a=e,o=r?r5(a,t):void 0;return n?Ct(i,a.title,o):i??a.title??o}function n5(e){
if(Vl(e)&&e.axis)return e.axis;if(ZR(e)&&e.legend)return e.legend;if(e5(e)&&e.header)return e.header}function r5(e,t){return tO(e,t)}function Xl(e){if(JR(e)){let{
format:t,formatType:n}=e;return{format:t,formatType:n}}else{let t=n5(e)??{},{format:n,formatType:r}=t;return{format:n,formatType:r}}}function wue(e,t){switch(t){case"\
latitude":case"longitude":return"quantitative";case"row":case"column":case"facet":case"shape":case"strokeDash":return"nominal";case"order":return"ordinal"}if(t5(
e)&&R(e.sort))return"ordinal";let{aggregate:n,bin:r,timeUnit:i}=e;if(i)return"temporal";if(r||n&&!Zo(n)&&!Na(n))return"quantitative";if(vu(e)&&e.scale?.type)switch(CE[e.
scale.type]){case"numeric":case"discretizing":return"quantitative";case"time":return"temporal"}return"nominal"}function si(e){if(U(e))return e;if(T1(e))return e.
condition}function Dt(e){if(he(e))return e;if(lh(e))return e.condition}function rO(e,t,n,r={}){if(vE(e)){let i=X(e)?"string":we(e)?"number":"boolean";return j(voe(
t,i,e)),{value:e}}return he(e)?Gm(e,t,n,r):lh(e)?{...e,condition:Gm(e.condition,t,n,r)}:e}function Gm(e,t,n,r){if(JR(e)){let{format:i,formatType:a,...o}=e;if(uu(
a)&&!n.customFormatTypes)return j(z$(t)),Gm(o,t,n,r)}else{let i=Vl(e)?"axis":ZR(e)?"legend":e5(e)?"header":null;if(i&&e[i]){let{format:a,formatType:o,...s}=e[i];
if(uu(o)&&!n.customFormatTypes)return j(z$(t)),Gm({...e,[i]:s},t,n,r)}}return U(e)?i5(e,t,r):Aue(e)}function Aue(e){let t=e.type;if(t)return e;let{datum:n}=e;return t=
we(n)?"quantitative":X(n)?"nominal":bu(n)?"temporal":void 0,{...e,type:t}}function i5(e,t,{compositeMark:n=!1}={}){let{aggregate:r,timeUnit:i,bin:a,field:o}=e,s={
...e};if(!n&&r&&!F3(r)&&!Zo(r)&&!Na(r)&&(j(Aoe(r)),delete s.aggregate),i&&(s.timeUnit=Gt(i)),o&&(s.field=`${o}`),We(a)&&(s.bin=R1(a,t)),en(a)&&!wt(t)&&j(tse(t)),
Nn(s)){let{type:u}=s,l=_se(u);u!==l&&(s.type=l),u!=="quantitative"&&w1(r)&&(j(woe(u,r)),s.type="quantitative")}else if(!KT(t)){let u=wue(s,t);s.type=u}if(Nn(s)){
let{compatible:u,warning:l}=Eue(s,t)||{};u===!1&&j(l)}if(t5(s)&&X(s.sort)){let{sort:u}=s;if(G$(u))return{...s,sort:{encoding:u}};let l=u.substring(1);if(u.charAt(
0)==="-"&&G$(l))return{...s,sort:{encoding:l,order:"descending"}}}if(e5(s)){let{header:u}=s;if(u){let{orient:l,...c}=u;if(l)return{...s,header:{...c,labelOrient:u.
labelOrient||l,titleOrient:u.titleOrient||l}}}}return s}function R1(e,t){return ta(e)?{maxbins:D$(t)}:e==="binned"?{binned:!0}:!e.maxbins&&!e.step?{...e,maxbins:D$(
t)}:e}var Bl={compatible:!0};function Eue(e,t){let n=e.type;if(n==="geojson"&&t!=="shape")return{compatible:!1,warning:`Channel ${t} should not be used with a g\
eojson data.`};switch(t){case Da:case $a:case g1:return Wm(e)?Bl:{compatible:!1,warning:_oe(t)};case Xe:case Tt:case Oa:case ic:case Xn:case Gi:case Hi:case th:case nh:case m1:case ru:case y1:case b1:case pu:case Or:case ci:case x1:
return Bl;case di:case Rr:case fi:case hi:return n!==ou?{compatible:!1,warning:`Channel ${t} should be used with a quantitative field only, not ${e.type} field.`}:
Bl;case Ha:case Vo:case Xo:case Ko:case Ga:case Wa:case ja:case li:case Wi:case Yo:return n==="nominal"&&!e.sort?{compatible:!1,warning:`Channel ${t} should not\
 be used with an unsorted discrete field.`}:Bl;case Kn:case Qo:return!Wm(e)&&!mue(e)?{compatible:!1,warning:koe(t)}:Bl;case Wl:return e.type==="nominal"&&!("sor\
t"in e)?{compatible:!1,warning:"Channel order is inappropriate for nominal field, which has no inherent order."}:Bl}}function Kl(e){let{formatType:t}=Xl(e);return t===
"time"||!t&&Sue(e)}function Sue(e){return e&&(e.type==="temporal"||U(e)&&!!e.timeUnit)}function O1(e,{timeUnit:t,type:n,wrapTime:r,undefinedIfExprNotRequired:i}){
let a=t&&Gt(t)?.unit,o=a||n==="temporal",s;return ih(e)?s=e.expr:ne(e)?s=e.signal:bu(e)?(o=!0,s=au(e)):(X(e)||we(e))&&o&&(s=`datetime(${Ue(e)})`,hse(a)&&(we(e)&&
e<1e4||X(e)&&isNaN(Date.parse(e)))&&(s=au({[a]:e}))),s?r&&o?`time(${s})`:s:i?void 0:Ue(e)}function iO(e,t){let{type:n}=e;return t.map(r=>{let i=U(e)&&!xu(e.timeUnit)?
e.timeUnit:void 0,a=O1(r,{timeUnit:i,type:n,undefinedIfExprNotRequired:!0});return a!==void 0?{signal:a}:r})}function ch(e,t){return We(e.bin)?Vi(t)&&["ordinal",
"nominal"].includes(e.type):(console.warn("Only call this method for binned field defs."),!1)}var V$={labelAlign:{part:"labels",vgProp:"align"},labelBaseline:{part:"\
labels",vgProp:"baseline"},labelColor:{part:"labels",vgProp:"fill"},labelFont:{part:"labels",vgProp:"font"},labelFontSize:{part:"labels",vgProp:"fontSize"},labelFontStyle:{
part:"labels",vgProp:"fontStyle"},labelFontWeight:{part:"labels",vgProp:"fontWeight"},labelOpacity:{part:"labels",vgProp:"opacity"},labelOffset:null,labelPadding:null,
gridColor:{part:"grid",vgProp:"stroke"},gridDash:{part:"grid",vgProp:"strokeDash"},gridDashOffset:{part:"grid",vgProp:"strokeDashOffset"},gridOpacity:{part:"gri\
d",vgProp:"opacity"},gridWidth:{part:"grid",vgProp:"strokeWidth"},tickColor:{part:"ticks",vgProp:"stroke"},tickDash:{part:"ticks",vgProp:"strokeDash"},tickDashOffset:{
part:"ticks",vgProp:"strokeDashOffset"},tickOpacity:{part:"ticks",vgProp:"opacity"},tickSize:null,tickWidth:{part:"ticks",vgProp:"strokeWidth"}};function fh(e){
return e?.condition}var aO=["domain","grid","labels","ticks","title"],Cue={grid:"grid",gridCap:"grid",gridColor:"grid",gridDash:"grid",gridDashOffset:"grid",gridOpacity:"\
grid",gridScale:"grid",gridWidth:"grid",orient:"main",bandPosition:"both",aria:"main",description:"main",domain:"main",domainCap:"main",domainColor:"main",domainDash:"\
main",domainDashOffset:"main",domainOpacity:"main",domainWidth:"main",format:"main",formatType:"main",labelAlign:"main",labelAngle:"main",labelBaseline:"main",labelBound:"\
main",labelColor:"main",labelFlush:"main",labelFlushOffset:"main",labelFont:"main",labelFontSize:"main",labelFontStyle:"main",labelFontWeight:"main",labelLimit:"\
main",labelLineHeight:"main",labelOffset:"main",labelOpacity:"main",labelOverlap:"main",labelPadding:"main",labels:"main",labelSeparation:"main",maxExtent:"main",
minExtent:"main",offset:"both",position:"main",tickCap:"main",tickColor:"main",tickDash:"main",tickDashOffset:"main",tickMinStep:"both",tickOffset:"both",tickOpacity:"\
main",tickRound:"both",ticks:"main",tickSize:"main",tickWidth:"both",title:"main",titleAlign:"main",titleAnchor:"main",titleAngle:"main",titleBaseline:"main",titleColor:"\
main",titleFont:"main",titleFontSize:"main",titleFontStyle:"main",titleFontWeight:"main",titleLimit:"main",titleLineHeight:"main",titleOpacity:"main",titlePadding:"\
main",titleX:"main",titleY:"main",encode:"both",scale:"both",tickBand:"both",tickCount:"both",tickExtra:"both",translate:"both",values:"both",zindex:"both"},oO={
orient:1,aria:1,bandPosition:1,description:1,domain:1,domainCap:1,domainColor:1,domainDash:1,domainDashOffset:1,domainOpacity:1,domainWidth:1,format:1,formatType:1,
grid:1,gridCap:1,gridColor:1,gridDash:1,gridDashOffset:1,gridOpacity:1,gridWidth:1,labelAlign:1,labelAngle:1,labelBaseline:1,labelBound:1,labelColor:1,labelFlush:1,
labelFlushOffset:1,labelFont:1,labelFontSize:1,labelFontStyle:1,labelFontWeight:1,labelLimit:1,labelLineHeight:1,labelOffset:1,labelOpacity:1,labelOverlap:1,labelPadding:1,
labels:1,labelSeparation:1,maxExtent:1,minExtent:1,offset:1,position:1,tickBand:1,tickCap:1,tickColor:1,tickCount:1,tickDash:1,tickDashOffset:1,tickExtra:1,tickMinStep:1,
tickOffset:1,tickOpacity:1,tickRound:1,ticks:1,tickSize:1,tickWidth:1,title:1,titleAlign:1,titleAnchor:1,titleAngle:1,titleBaseline:1,titleColor:1,titleFont:1,titleFontSize:1,
titleFontStyle:1,titleFontWeight:1,titleLimit:1,titleLineHeight:1,titleOpacity:1,titlePadding:1,titleX:1,titleY:1,translate:1,values:1,zindex:1},_ue={...oO,style:1,
labelExpr:1,encoding:1};function X$(e){return Y(_ue,e)}var kue={axis:1,axisBand:1,axisBottom:1,axisDiscrete:1,axisLeft:1,axisPoint:1,axisQuantitative:1,axisRight:1,
axisTemporal:1,axisTop:1,axisX:1,axisXBand:1,axisXDiscrete:1,axisXPoint:1,axisXQuantitative:1,axisXTemporal:1,axisY:1,axisYBand:1,axisYDiscrete:1,axisYPoint:1,axisYQuantitative:1,
axisYTemporal:1},sO=q(kue);function Va(e){return W(e,"mark")}var Ql=class{name;run;constructor(t,n){this.name=t,this.run=n}hasMatchingType(t){return Va(t)?nue(t.
mark)===this.name:!1}};function eu(e,t){let n=e?.[t];return n?R(n)?zd(n,r=>!!r.field):U(n)||T1(n):!1}function uO(e,t){let n=e?.[t];return n?R(n)?zd(n,r=>!!r.field):
U(n)||Xi(n)||lh(n):!1}function lO(e,t){if(wt(t)){let n=e[t];if((U(n)||Xi(n))&&(j3(n.type)||U(n)&&n.timeUnit)){let r=E3(t);return uO(e,r)}}return!1}function cO(e){
return zd(Aae,t=>{if(eu(e,t)){let n=e[t];if(R(n))return zd(n,r=>!!r.aggregate);{let r=si(n);return r&&!!r.aggregate}}return!1})}function fO(e,t){let n=[],r=[],i=[],
a=[],o={};return a5(e,(s,u)=>{if(U(s)){let{field:l,aggregate:c,bin:f,timeUnit:d,...h}=s;if(c||d||f){let g=n5(s)?.title,m=K(s,{forAs:!0}),y={...g?[]:{title:Ul(s,
t,{allowDisabling:!0})},...h,field:m};if(c){let b;if(Zo(c)?(b="argmax",m=K({op:"argmax",field:c.argmax},{forAs:!0}),y.field=`${m}.${l}`):Na(c)?(b="argmin",m=K({
op:"argmin",field:c.argmin},{forAs:!0}),y.field=`${m}.${l}`):c!=="boxplot"&&c!=="errorbar"&&c!=="errorband"&&(b=c),b){let x={op:b,as:m};l&&(x.field=l),a.push(x)}}else if(n.
push(m),Nn(s)&&We(f)){if(r.push({bin:f,field:l,as:m}),n.push(K(s,{binSuffix:"end"})),ch(s,u)&&n.push(K(s,{binSuffix:"range"})),wt(u)){let b={field:`${m}_end`};o[`${u}\
2`]=b}y.bin="binned",KT(u)||(y.type=ou)}else if(d&&!xu(d)){i.push({timeUnit:d,field:l,as:m});let b=Nn(s)&&s.type!==Gl&&"time";b&&(u===th||u===ru?y.formatType=b:
Rae(u)?y.legend={formatType:b,...y.legend}:wt(u)&&(y.axis={formatType:b,...y.axis}))}o[u]=y}else n.push(l),o[u]=e[u]}else o[u]=e[u]}),{bins:r,timeUnits:i,aggregate:a,
groupby:n,encoding:o}}function Fue(e,t,n){let r=Nae(t,n);if(r){if(r==="binned"){let i=e[t===li?Xe:Tt];return!!(U(i)&&U(e[t])&&en(i.bin))}}else return!1;return!0}
function Mue(e,t,n,r){let i={};for(let a of q(e))XT(a)||j(Coe(a));for(let a of Fae){if(!e[a])continue;let o=e[a];if(rh(a)){let s=kae(a),u=i[s];if(U(u)&&Cse(u.type)&&
U(o)&&!u.timeUnit){j(xoe(s));continue}}if(a==="angle"&&t==="arc"&&!e.theta&&(j(boe),a=Or),!Fue(e,a,t)){j(E1(a,t));continue}if(a===Ga&&t==="line"&&si(e[a])?.aggregate){
j(Soe);continue}if(a===Xn&&(n?"fill"in e:"stroke"in e)){j(pR("encoding",{fill:"fill"in e,stroke:"stroke"in e}));continue}if(a===nh||a===Wl&&!R(o)&&!oi(o)||a===ru&&
R(o)){if(o){if(a===Wl){let s=e[a];if(QR(s)){i[a]=s;continue}}i[a]=H(o).reduce((s,u)=>(U(u)?s.push(i5(u,a)):j(SE(u,a)),s),[])}}else{if(a===ru&&o===null)i[a]=null;else if(!U(
o)&&!Xi(o)&&!oi(o)&&!uh(o)&&!ne(o)){j(SE(o,a));continue}i[a]=rO(o,a,r)}}return i}function N1(e,t){let n={};for(let r of q(e)){let i=rO(e[r],r,t,{compositeMark:!0});
n[r]=i}return n}function Due(e){let t=[];for(let n of q(e))if(eu(e,n)){let r=e[n],i=H(r);for(let a of i)U(a)?t.push(a):T1(a)&&t.push(a.condition)}return t}function a5(e,t,n){
if(e)for(let r of q(e)){let i=e[r];if(R(i))for(let a of i)t.call(n,a,r);else t.call(n,i,r)}}function $ue(e,t,n,r){return e?q(e).reduce((i,a)=>{let o=e[a];return R(
o)?o.reduce((s,u)=>t.call(r,s,u,a),i):t.call(r,i,o,a)},n):n}function dO(e,t){return q(t).reduce((n,r)=>{switch(r){case Xe:case Tt:case y1:case x1:case b1:case li:case Wi:
return n;case Oa:case ic:{if(e==="line"||e==="area"||e==="trail"){let i=t[r];if(U(i)){let o=t[r===Oa?Xe:Tt];if(U(o)&&!o.aggregate&&!i.aggregate){let s=K(o,{}),u=K(
i,{});s&&u&&s!==u&&n.push(s)}}}return n}case Or:case Wa:case ci:case ja:case Yo:case fi:case di:case hi:case Rr:case th:case Kn:case pu:case ru:return n;case Wl:
if(e==="line"||e==="trail")return n;case nh:case m1:{let i=t[r];if(R(i)||U(i))for(let a of H(i))a.aggregate||n.push(K(a,{}));return n}case Ga:if(e==="trail")return n;case Xn:case Gi:case Hi:case Ha:case Vo:case Xo:case Qo:case Ko:{
let i=si(t[r]);return i&&!i.aggregate&&n.push(K(i,{})),n}}},[])}function Tue(e){let{tooltip:t,...n}=e;if(!t)return{filteredEncoding:n};let r,i;if(R(t)){for(let a of t)
a.aggregate?(r||(r=[]),r.push(a)):(i||(i=[]),i.push(a));r&&(n.tooltip=r)}else t.aggregate?n.tooltip=t:i=t;return R(i)&&i.length===1&&(i=i[0]),{customTooltipWithoutAggregatedField:i,
filteredEncoding:n}}function FE(e,t,n,r=!0){if("tooltip"in n)return{tooltip:n.tooltip};let i=e.map(({fieldPrefix:o,titlePrefix:s})=>{let u=r?` of ${o5(t)}`:"";return{
field:o+t.field,type:t.type,title:ne(s)?{signal:`${s}"${escape(u)}"`}:s+u}}),a=Due(n).map(pue);return{tooltip:[...i,...Mr(a,ye)]}}function o5(e){let{title:t,field:n}=e;
return Ct(t,n)}function s5(e,t,n,r,i){let{scale:a,axis:o}=n;return({partName:s,mark:u,positionPrefix:l,endPositionPrefix:c=void 0,extraEncoding:f={}})=>{let d=o5(
n);return hO(e,s,i,{mark:u,encoding:{[t]:{field:`${l}_${n.field}`,type:n.type,...d!==void 0?{title:d}:{},...a!==void 0?{scale:a}:{},...o!==void 0?{axis:o}:{}},...X(
c)?{[`${t}2`]:{field:`${c}_${n.field}`}}:{},...r,...f}})}}function hO(e,t,n,r){let{clip:i,color:a,opacity:o}=e,s=e.type;return e[t]||e[t]===void 0&&n[t]?[{...r,
mark:{...n[t],...i?{clip:i}:{},...a?{color:a}:{},...o?{opacity:o}:{},...qi(r.mark)?r.mark:{type:r.mark},style:`${s}-${String(t)}`,...ta(e[t])?{}:e[t]}}]:[]}function pO(e,t,n){
let{encoding:r}=e,i=t==="vertical"?"y":"x",a=r[i],o=r[`${i}2`],s=r[`${i}Error`],u=r[`${i}Error2`];return{continuousAxisChannelDef:Dm(a,n),continuousAxisChannelDef2:Dm(
o,n),continuousAxisChannelDefError:Dm(s,n),continuousAxisChannelDefError2:Dm(u,n),continuousAxis:i}}function Dm(e,t){if(e?.aggregate){let{aggregate:n,...r}=e;return n!==
t&&j(ese(n,t)),r}else return e}function gO(e,t){let{mark:n,encoding:r}=e,{x:i,y:a}=r;if(qi(n)&&n.orient)return n.orient;if(zo(i)){if(zo(a)){let o=U(i)&&i.aggregate,
s=U(a)&&a.aggregate;if(!o&&s===t)return"vertical";if(!s&&o===t)return"horizontal";if(o===t&&s===t)throw new Error("Both x and y cannot have aggregate");return Kl(
a)&&!Kl(i)?"horizontal":"vertical"}return"horizontal"}else{if(zo(a))return"vertical";throw new Error(`Need a valid continuous axis for ${t}s`)}}var Hm="boxplot",
Rue=["box","median","outliers","rule","ticks"],Oue=new Ql(Hm,yO);function mO(e){return we(e)?"tukey":e}function yO(e,{config:t}){e={...e,encoding:N1(e.encoding,
t)};let{mark:n,encoding:r,params:i,projection:a,...o}=e,s=qi(n)?n:{type:n};i&&j(dR("boxplot"));let u=s.extent??t.boxplot.extent,l=Re("size",s,t),c=s.invalid,f=mO(
u),{bins:d,timeUnits:h,transform:p,continuousAxisChannelDef:g,continuousAxis:m,groupby:y,aggregate:b,encodingWithoutContinuousAxis:x,ticksOrient:v,boxOrient:w,customTooltipWithoutAggregatedField:E}=Nue(
e,u,t),A=eh(g.field),{color:S,size:C,..._}=x,k=Ki=>s5(s,m,g,Ki,t.boxplot),M=k(_),$=k(x),O=(V(t.boxplot.box)?t.boxplot.box.color:t.mark.color)||"#4c78a8",F=k({..._,
...C?{size:C}:{},color:{condition:{test:`${Le(`lower_box_${g.field}`)} >= ${Le(`upper_box_${g.field}`)}`,...S||{value:O}}}}),P=FE([{fieldPrefix:f==="min-max"?"u\
pper_whisker_":"max_",titlePrefix:"Max"},{fieldPrefix:"upper_box_",titlePrefix:"Q3"},{fieldPrefix:"mid_box_",titlePrefix:"Median"},{fieldPrefix:"lower_box_",titlePrefix:"\
Q1"},{fieldPrefix:f==="min-max"?"lower_whisker_":"min_",titlePrefix:"Min"}],g,x),Q={type:"tick",color:"black",opacity:1,orient:v,invalid:c,aria:!1},J=f==="min-m\
ax"?P:FE([{fieldPrefix:"upper_whisker_",titlePrefix:"Upper Whisker"},{fieldPrefix:"lower_whisker_",titlePrefix:"Lower Whisker"}],g,x),ie=[...M({partName:"rule",
mark:{type:"rule",invalid:c,aria:!1},positionPrefix:"lower_whisker",endPositionPrefix:"lower_box",extraEncoding:J}),...M({partName:"rule",mark:{type:"rule",invalid:c,
aria:!1},positionPrefix:"upper_box",endPositionPrefix:"upper_whisker",extraEncoding:J}),...M({partName:"ticks",mark:Q,positionPrefix:"lower_whisker",extraEncoding:J}),
...M({partName:"ticks",mark:Q,positionPrefix:"upper_whisker",extraEncoding:J})],me=[...f!=="tukey"?ie:[],...$({partName:"box",mark:{type:"bar",...l?{size:l}:{},
orient:w,invalid:c,ariaRoleDescription:"box"},positionPrefix:"lower_box",endPositionPrefix:"upper_box",extraEncoding:P}),...F({partName:"median",mark:{type:"tic\
k",invalid:c,...V(t.boxplot.median)&&t.boxplot.median.color?{color:t.boxplot.median.color}:{},...l?{size:l}:{},orient:v,aria:!1},positionPrefix:"mid_box",extraEncoding:P})];
if(f==="min-max")return{...o,transform:(o.transform??[]).concat(p),layer:me};let dt=Le(`lower_box_${g.field}`),Ht=Le(`upper_box_${g.field}`),Rt=`(${Ht} - ${dt})`,
Zn=`${dt} - ${u} * ${Rt}`,ht=`${Ht} + ${u} * ${Rt}`,pi=Le(g.field),es={joinaggregate:bO(g.field),groupby:y},Xa={transform:[{filter:`(${Zn} <= ${pi}) && (${pi} <\
= ${ht})`},{aggregate:[{op:"min",field:g.field,as:`lower_whisker_${A}`},{op:"max",field:g.field,as:`upper_whisker_${A}`},{op:"min",field:`lower_box_${g.field}`,
as:`lower_box_${A}`},{op:"max",field:`upper_box_${g.field}`,as:`upper_box_${A}`},...b],groupby:y}],layer:ie},{tooltip:Z,...ge}=_,{scale:xe,axis:G}=g,Yt=o5(g),Oe=hO(
s,"outliers",t.boxplot,{transform:[{filter:`(${pi} < ${Zn}) || (${pi} > ${ht})`}],mark:"point",encoding:{[m]:{field:g.field,type:g.type,...Yt!==void 0?{title:Yt}:
{},...xe!==void 0?{scale:xe}:{},...G!==void 0?{axis:G}:{}},...ge,...S?{color:S}:{},...E?{tooltip:E}:{}}})[0],Ot,an=[...d,...h,es];return Oe?Ot={transform:an,layer:[
Oe,Xa]}:(Ot=Xa,Ot.transform.unshift(...an)),{...o,layer:[Ot,{transform:p,layer:me}]}}function bO(e){let t=eh(e);return[{op:"q1",field:e,as:`lower_box_${t}`},{op:"\
q3",field:e,as:`upper_box_${t}`}]}function Nue(e,t,n){let r=gO(e,Hm),{continuousAxisChannelDef:i,continuousAxis:a}=pO(e,r,Hm),o=i.field,s=eh(o),u=mO(t),l=[...bO(
o),{op:"median",field:o,as:`mid_box_${s}`},{op:"min",field:o,as:(u==="min-max"?"lower_whisker_":"min_")+s},{op:"max",field:o,as:(u==="min-max"?"upper_whisker_":
"max_")+s}],c=u==="min-max"||u==="tukey"?[]:[{calculate:`${Le(`upper_box_${s}`)} - ${Le(`lower_box_${s}`)}`,as:`iqr_${s}`},{calculate:`min(${Le(`upper_box_${s}`)}\
 + ${Le(`iqr_${s}`)} * ${t}, ${Le(`max_${s}`)})`,as:`upper_whisker_${s}`},{calculate:`max(${Le(`lower_box_${s}`)} - ${Le(`iqr_${s}`)} * ${t}, ${Le(`min_${s}`)})`,
as:`lower_whisker_${s}`}],{[a]:f,...d}=e.encoding,{customTooltipWithoutAggregatedField:h,filteredEncoding:p}=Tue(d),{bins:g,timeUnits:m,aggregate:y,groupby:b,encoding:x}=fO(
p,n),v=r==="vertical"?"horizontal":"vertical",w=r,E=[...g,...m,{aggregate:[...y,...l],groupby:b},...c];return{bins:g,timeUnits:m,transform:E,groupby:b,aggregate:y,
continuousAxisChannelDef:i,continuousAxis:a,encodingWithoutContinuousAxis:x,ticksOrient:v,boxOrient:w,customTooltipWithoutAggregatedField:h}}var u5="errorbar",Bue=[
"ticks","rule"],Pue=new Ql(u5,xO);function xO(e,{config:t}){e={...e,encoding:N1(e.encoding,t)};let{transform:n,continuousAxisChannelDef:r,continuousAxis:i,encodingWithoutContinuousAxis:a,
ticksOrient:o,markDef:s,outerSpec:u,tooltipEncoding:l}=vO(e,u5,t);delete a.size;let c=s5(s,i,r,a,t.errorbar),f=s.thickness,d=s.size,h={type:"tick",orient:o,aria:!1,
...f!==void 0?{thickness:f}:{},...d!==void 0?{size:d}:{}},p=[...c({partName:"ticks",mark:h,positionPrefix:"lower",extraEncoding:l}),...c({partName:"ticks",mark:h,
positionPrefix:"upper",extraEncoding:l}),...c({partName:"rule",mark:{type:"rule",ariaRoleDescription:"errorbar",...f!==void 0?{size:f}:{}},positionPrefix:"lower",
endPositionPrefix:"upper",extraEncoding:l})];return{...u,transform:n,...p.length>1?{layer:p}:{...p[0]}}}function Iue(e,t){let{encoding:n}=e;if(zue(n))return{orient:gO(
e,t),inputType:"raw"};let r=Lue(n),i=Uue(n),a=n.x,o=n.y;if(r){if(i)throw new Error(`${t} cannot be both type aggregated-upper-lower and aggregated-error`);let s=n.
x2,u=n.y2;if(he(s)&&he(u))throw new Error(`${t} cannot have both x2 and y2`);if(he(s)){if(zo(a))return{orient:"horizontal",inputType:"aggregated-upper-lower"};throw new Error(
`Both x and x2 have to be quantitative in ${t}`)}else if(he(u)){if(zo(o))return{orient:"vertical",inputType:"aggregated-upper-lower"};throw new Error(`Both y an\
d y2 have to be quantitative in ${t}`)}throw new Error("No ranged axis")}else{let s=n.xError,u=n.xError2,l=n.yError,c=n.yError2;if(he(u)&&!he(s))throw new Error(
`${t} cannot have xError2 without xError`);if(he(c)&&!he(l))throw new Error(`${t} cannot have yError2 without yError`);if(he(s)&&he(l))throw new Error(`${t} can\
not have both xError and yError with both are quantiative`);if(he(s)){if(zo(a))return{orient:"horizontal",inputType:"aggregated-error"};throw new Error("All x, \
xError, and xError2 (if exist) have to be quantitative")}else if(he(l)){if(zo(o))return{orient:"vertical",inputType:"aggregated-error"};throw new Error("All y, \
yError, and yError2 (if exist) have to be quantitative")}throw new Error("No ranged axis")}}function zue(e){return(he(e.x)||he(e.y))&&!he(e.x2)&&!he(e.y2)&&!he(
e.xError)&&!he(e.xError2)&&!he(e.yError)&&!he(e.yError2)}function Lue(e){return he(e.x2)||he(e.y2)}function Uue(e){return he(e.xError)||he(e.xError2)||he(e.yError)||
he(e.yError2)}function vO(e,t,n){let{mark:r,encoding:i,params:a,projection:o,...s}=e,u=qi(r)?r:{type:r};a&&j(dR(t));let{orient:l,inputType:c}=Iue(e,t),{continuousAxisChannelDef:f,
continuousAxisChannelDef2:d,continuousAxisChannelDefError:h,continuousAxisChannelDefError2:p,continuousAxis:g}=pO(e,l,t),{errorBarSpecificAggregate:m,postAggregateCalculates:y,
tooltipSummary:b,tooltipTitleWithFieldName:x}=que(u,f,d,h,p,c,t,n),{[g]:v,[g==="x"?"x2":"y2"]:w,[g==="x"?"xError":"yError"]:E,[g==="x"?"xError2":"yError2"]:A,...S}=i,
{bins:C,timeUnits:_,aggregate:k,groupby:M,encoding:$}=fO(S,n),O=[...k,...m],F=c!=="raw"?[]:M,P=FE(b,f,$,x);return{transform:[...s.transform??[],...C,..._,...O.length===
0?[]:[{aggregate:O,groupby:F}],...y],groupby:F,continuousAxisChannelDef:f,continuousAxis:g,encodingWithoutContinuousAxis:$,ticksOrient:l==="vertical"?"horizonta\
l":"vertical",markDef:u,outerSpec:s,tooltipEncoding:P}}function que(e,t,n,r,i,a,o,s){let u=[],l=[],c=t.field,f,d=!1;if(a==="raw"){let h=e.center?e.center:e.extent?
e.extent==="iqr"?"median":"mean":s.errorbar.center,p=e.extent?e.extent:h==="mean"?"stderr":"iqr";if(h==="median"!=(p==="iqr")&&j(Joe(h,p,o)),p==="stderr"||p==="\
stdev")u=[{op:p,field:c,as:`extent_${c}`},{op:h,field:c,as:`center_${c}`}],l=[{calculate:`${Le(`center_${c}`)} + ${Le(`extent_${c}`)}`,as:`upper_${c}`},{calculate:`${Le(
`center_${c}`)} - ${Le(`extent_${c}`)}`,as:`lower_${c}`}],f=[{fieldPrefix:"center_",titlePrefix:p1(h)},{fieldPrefix:"upper_",titlePrefix:K$(h,p,"+")},{fieldPrefix:"\
lower_",titlePrefix:K$(h,p,"-")}],d=!0;else{let g,m,y;p==="ci"?(g="mean",m="ci0",y="ci1"):(g="median",m="q1",y="q3"),u=[{op:m,field:c,as:`lower_${c}`},{op:y,field:c,
as:`upper_${c}`},{op:g,field:c,as:`center_${c}`}],f=[{fieldPrefix:"upper_",titlePrefix:Ul({field:c,aggregate:y,type:"quantitative"},s,{allowDisabling:!1})},{fieldPrefix:"\
lower_",titlePrefix:Ul({field:c,aggregate:m,type:"quantitative"},s,{allowDisabling:!1})},{fieldPrefix:"center_",titlePrefix:Ul({field:c,aggregate:g,type:"quanti\
tative"},s,{allowDisabling:!1})}]}}else{(e.center||e.extent)&&j(Zoe(e.center,e.extent)),a==="aggregated-upper-lower"?(f=[],l=[{calculate:Le(n.field),as:`upper_${c}`},
{calculate:Le(c),as:`lower_${c}`}]):a==="aggregated-error"&&(f=[{fieldPrefix:"",titlePrefix:c}],l=[{calculate:`${Le(c)} + ${Le(r.field)}`,as:`upper_${c}`}],i?l.
push({calculate:`${Le(c)} + ${Le(i.field)}`,as:`lower_${c}`}):l.push({calculate:`${Le(c)} - ${Le(r.field)}`,as:`lower_${c}`}));for(let h of l)f.push({fieldPrefix:h.
as.substring(0,6),titlePrefix:jl(jl(h.calculate,"datum['",""),"']","")})}return{postAggregateCalculates:l,errorBarSpecificAggregate:u,tooltipSummary:f,tooltipTitleWithFieldName:d}}
function K$(e,t,n){return`${p1(e)} ${n} ${t}`}var l5="errorband",jue=["band","borders"],Wue=new Ql(l5,wO);function wO(e,{config:t}){e={...e,encoding:N1(e.encoding,
t)};let{transform:n,continuousAxisChannelDef:r,continuousAxis:i,encodingWithoutContinuousAxis:a,markDef:o,outerSpec:s,tooltipEncoding:u}=vO(e,l5,t),l=o,c=s5(l,i,
r,a,t.errorband),f=e.encoding.x!==void 0&&e.encoding.y!==void 0,d={type:f?"area":"rect"},h={type:f?"line":"rule"},p={...l.interpolate?{interpolate:l.interpolate}:
{},...l.tension&&l.interpolate?{tension:l.tension}:{}};return f?(d={...d,...p,ariaRoleDescription:"errorband"},h={...h,...p,aria:!1}):l.interpolate?j(U$("interp\
olate")):l.tension&&j(U$("tension")),{...s,transform:n,layer:[...c({partName:"band",mark:d,positionPrefix:"lower",endPositionPrefix:"upper",extraEncoding:u}),...c(
{partName:"borders",mark:h,positionPrefix:"lower",extraEncoding:u}),...c({partName:"borders",mark:h,positionPrefix:"upper",extraEncoding:u})]}}var AO={};function c5(e,t,n){
let r=new Ql(e,t);AO[e]={normalizer:r,parts:n}}function Gue(){return q(AO)}c5(Hm,yO,Rue);c5(u5,xO,Bue);c5(l5,wO,jue);var Hue=["gradientHorizontalMaxLength","gra\
dientHorizontalMinLength","gradientVerticalMaxLength","gradientVerticalMinLength","unselectedOpacity"],EO={titleAlign:"align",titleAnchor:"anchor",titleAngle:"a\
ngle",titleBaseline:"baseline",titleColor:"color",titleFont:"font",titleFontSize:"fontSize",titleFontStyle:"fontStyle",titleFontWeight:"fontWeight",titleLimit:"\
limit",titleLineHeight:"lineHeight",titleOrient:"orient",titlePadding:"offset"},SO={labelAlign:"align",labelAnchor:"anchor",labelAngle:"angle",labelBaseline:"ba\
seline",labelColor:"color",labelFont:"font",labelFontSize:"fontSize",labelFontStyle:"fontStyle",labelFontWeight:"fontWeight",labelLimit:"limit",labelLineHeight:"\
lineHeight",labelOrient:"orient",labelPadding:"offset"},Yue=q(EO),Vue=q(SO),Xue={header:1,headerRow:1,headerColumn:1,headerFacet:1},CO=q(Xue),_O=["size","shape",
"fill","stroke","strokeDash","strokeWidth","opacity"],Kue={gradientHorizontalMaxLength:200,gradientHorizontalMinLength:100,gradientVerticalMaxLength:200,gradientVerticalMinLength:64,
unselectedOpacity:.35},Que={aria:1,clipHeight:1,columnPadding:1,columns:1,cornerRadius:1,description:1,direction:1,fillColor:1,format:1,formatType:1,gradientLength:1,
gradientOpacity:1,gradientStrokeColor:1,gradientStrokeWidth:1,gradientThickness:1,gridAlign:1,labelAlign:1,labelBaseline:1,labelColor:1,labelFont:1,labelFontSize:1,
labelFontStyle:1,labelFontWeight:1,labelLimit:1,labelOffset:1,labelOpacity:1,labelOverlap:1,labelPadding:1,labelSeparation:1,legendX:1,legendY:1,offset:1,orient:1,
padding:1,rowPadding:1,strokeColor:1,symbolDash:1,symbolDashOffset:1,symbolFillColor:1,symbolLimit:1,symbolOffset:1,symbolOpacity:1,symbolSize:1,symbolStrokeColor:1,
symbolStrokeWidth:1,symbolType:1,tickCount:1,tickMinStep:1,title:1,titleAlign:1,titleAnchor:1,titleBaseline:1,titleColor:1,titleFont:1,titleFontSize:1,titleFontStyle:1,
titleFontWeight:1,titleLimit:1,titleLineHeight:1,titleOpacity:1,titleOrient:1,titlePadding:1,type:1,values:1,zindex:1},ui="_vgsid_",Zue={point:{on:"click",fields:[
ui],toggle:"event.shiftKey",resolve:"global",clear:"dblclick"},interval:{on:"[pointerdown, window:pointerup] > window:pointermove!",encodings:["x","y"],translate:"\
[pointerdown, window:pointerup] > window:pointermove!",zoom:"wheel!",mark:{fill:"#333",fillOpacity:.125,stroke:"white"},resolve:"global",clear:"dblclick"}};function f5(e){
return e==="legend"||!!e?.legend}function cE(e){return f5(e)&&V(e)}function d5(e){return!!e?.select}function kO(e){let t=[];for(let n of e||[]){if(d5(n))continue;
let{expr:r,bind:i,...a}=n;if(i&&r){let o={...a,bind:i,init:r};t.push(o)}else{let o={...a,...r?{update:r}:{},...i?{bind:i}:{}};t.push(o)}}return t}function Jue(e){
return B1(e)||p5(e)||h5(e)}function h5(e){return W(e,"concat")}function B1(e){return W(e,"vconcat")}function p5(e){return W(e,"hconcat")}function FO({step:e,offsetIsDiscrete:t}){
return t?e.for??"offset":"position"}function ji(e){return W(e,"step")}function Q$(e){return W(e,"view")||W(e,"width")||W(e,"height")}var Z$=20,ele={align:1,bounds:1,
center:1,columns:1,spacing:1},tle=q(ele);function nle(e,t,n){let r=n[t],i={},{spacing:a,columns:o}=r;a!==void 0&&(i.spacing=a),o!==void 0&&($1(e)&&!sh(e.facet)||
h5(e))&&(i.columns=o),B1(e)&&(i.columns=1);for(let s of tle)if(e[s]!==void 0)if(s==="spacing"){let u=e[s];i[s]=we(u)?u:{row:u.row??a,column:u.column??a}}else i[s]=
e[s];return i}function ME(e,t){return e[t]??e[t==="width"?"continuousWidth":"continuousHeight"]}function DE(e,t){let n=Ym(e,t);return ji(n)?n.step:MO}function Ym(e,t){
let n=e[t]??e[t==="width"?"discreteWidth":"discreteHeight"];return Ct(n,{step:e.step})}var MO=20,rle={continuousWidth:300,continuousHeight:300,step:MO},ile={background:"\
white",padding:5,timeFormat:"%b %d, %Y",countTitle:"Count of Records",view:rle,mark:Kse,arc:{},area:{},bar:eue,circle:{},geoshape:{},image:{},line:{},point:{},rect:X3,
rule:{color:"black"},square:{},text:{color:"black"},tick:tue,trail:{},boxplot:{size:14,extent:1.5,box:{},median:{color:"white"},outliers:{},rule:{},ticks:null},
errorbar:{center:"mean",rule:!0,ticks:!1},errorband:{band:{opacity:.3},borders:!1},scale:$se,projection:{},legend:Kue,header:{titlePadding:10,labelPadding:10},headerColumn:{},
headerRow:{},headerFacet:{},selection:Zue,style:{},title:{},facet:{spacing:Z$},concat:{spacing:Z$},normalizedNumberFormat:".0%"},Fa=["#4c78a8","#f58518","#e4575\
6","#72b7b2","#54a24b","#eeca3b","#b279a2","#ff9da6","#9d755d","#bab0ac"],J$={text:11,guideLabel:10,guideTitle:11,groupTitle:13,groupSubtitle:12},eT={blue:Fa[0],
orange:Fa[1],red:Fa[2],teal:Fa[3],green:Fa[4],yellow:Fa[5],purple:Fa[6],pink:Fa[7],brown:Fa[8],gray0:"#000",gray1:"#111",gray2:"#222",gray3:"#333",gray4:"#444",
gray5:"#555",gray6:"#666",gray7:"#777",gray8:"#888",gray9:"#999",gray10:"#aaa",gray11:"#bbb",gray12:"#ccc",gray13:"#ddd",gray14:"#eee",gray15:"#fff"};function ale(e={}){
return{signals:[{name:"color",value:V(e)?{...eT,...e}:eT}],mark:{color:{signal:"color.blue"}},rule:{color:{signal:"color.gray0"}},text:{color:{signal:"color.gra\
y0"}},style:{"guide-label":{fill:{signal:"color.gray0"}},"guide-title":{fill:{signal:"color.gray0"}},"group-title":{fill:{signal:"color.gray0"}},"group-subtitle":{
fill:{signal:"color.gray0"}},cell:{stroke:{signal:"color.gray8"}}},axis:{domainColor:{signal:"color.gray13"},gridColor:{signal:"color.gray8"},tickColor:{signal:"\
color.gray13"}},range:{category:[{signal:"color.blue"},{signal:"color.orange"},{signal:"color.red"},{signal:"color.teal"},{signal:"color.green"},{signal:"color.\
yellow"},{signal:"color.purple"},{signal:"color.pink"},{signal:"color.brown"},{signal:"color.grey8"}]}}}function ole(e){return{signals:[{name:"fontSize",value:V(
e)?{...J$,...e}:J$}],text:{fontSize:{signal:"fontSize.text"}},style:{"guide-label":{fontSize:{signal:"fontSize.guideLabel"}},"guide-title":{fontSize:{signal:"fo\
ntSize.guideTitle"}},"group-title":{fontSize:{signal:"fontSize.groupTitle"}},"group-subtitle":{fontSize:{signal:"fontSize.groupSubtitle"}}}}}function sle(e){return{
text:{font:e},style:{"guide-label":{font:e},"guide-title":{font:e},"group-title":{font:e},"group-subtitle":{font:e}}}}function DO(e){let t=q(e||{}),n={};for(let r of t){
let i=e[r];n[r]=fh(i)?aR(i):hr(i)}return n}function ule(e){let t=q(e),n={};for(let r of t)n[r]=DO(e[r]);return n}var lle=[...zR,...sO,...CO,"background","paddin\
g","legend","lineBreak","scale","style","title","view"];function $O(e={}){let{color:t,font:n,fontSize:r,selection:i,...a}=e,o=Eu({},de(ile),n?sle(n):{},t?ale(t):
{},r?ole(r):{},a||{});i&&Su(o,"selection",i,!0);let s=Tr(o,lle);for(let u of["background","lineBreak","padding"])o[u]&&(s[u]=hr(o[u]));for(let u of zR)o[u]&&(s[u]=
tn(o[u]));for(let u of sO)o[u]&&(s[u]=DO(o[u]));for(let u of CO)o[u]&&(s[u]=tn(o[u]));if(o.legend&&(s.legend=tn(o.legend)),o.scale){let{invalid:u,...l}=o.scale,
c=tn(u,{level:1});s.scale={...tn(l),...q(c).length>0?{invalid:c}:{}}}return o.style&&(s.style=ule(o.style)),o.title&&(s.title=tn(o.title)),o.view&&(s.view=tn(o.
view)),s}var cle=new Set(["view",...Wse]),fle=["color","fontSize","background","padding","facet","concat","numberFormat","numberFormatType","normalizedNumberFor\
mat","normalizedNumberFormatType","timeFormat","countTitle","header","axisQuantitative","axisTemporal","axisDiscrete","axisPoint","axisXBand","axisXPoint","axis\
XDiscrete","axisXQuantitative","axisXTemporal","axisYBand","axisYPoint","axisYDiscrete","axisYQuantitative","axisYTemporal","scale","selection","overlay"],dle={
view:["continuousWidth","continuousHeight","discreteWidth","discreteHeight","step"],...Xse};function hle(e){e=de(e);for(let t of fle)delete e[t];if(e.axis)for(let t in e.
axis)fh(e.axis[t])&&delete e.axis[t];if(e.legend)for(let t of Hue)delete e.legend[t];if(e.mark){for(let t of j$)delete e.mark[t];e.mark.tooltip&&V(e.mark.tooltip)&&
delete e.mark.tooltip}e.params&&(e.signals=(e.signals||[]).concat(kO(e.params)),delete e.params);for(let t of cle){for(let r of j$)delete e[t][r];let n=dle[t];if(n)
for(let r of n)delete e[t][r];gle(e,t)}for(let t of Gue())delete e[t];ple(e);for(let t in e)V(e[t])&&je(e[t])&&delete e[t];return je(e)?void 0:e}function ple(e){
let{titleMarkConfig:t,subtitleMarkConfig:n,subtitle:r}=rR(e.title);je(t)||(e.style["group-title"]={...e.style["group-title"],...t}),je(n)||(e.style["group-subti\
tle"]={...e.style["group-subtitle"],...n}),je(r)?delete e.title:e.title=r}function gle(e,t,n,r){let i=e[t];t==="view"&&(n="cell");let a={...i,...e.style[n??t]};
je(a)||(e.style[n??t]=a),delete e[t]}function P1(e){return W(e,"layer")}function mle(e){return W(e,"repeat")}function yle(e){return!R(e.repeat)&&W(e.repeat,"lay\
er")}var jd=class{map(t,n){return $1(t)?this.mapFacet(t,n):mle(t)?this.mapRepeat(t,n):p5(t)?this.mapHConcat(t,n):B1(t)?this.mapVConcat(t,n):h5(t)?this.mapConcat(
t,n):this.mapLayerOrUnit(t,n)}mapLayerOrUnit(t,n){if(P1(t))return this.mapLayer(t,n);if(Va(t))return this.mapUnit(t,n);throw new Error(M3(t))}mapLayer(t,n){return{
...t,layer:t.layer.map(r=>this.mapLayerOrUnit(r,n))}}mapHConcat(t,n){return{...t,hconcat:t.hconcat.map(r=>this.map(r,n))}}mapVConcat(t,n){return{...t,vconcat:t.
vconcat.map(r=>this.map(r,n))}}mapConcat(t,n){let{concat:r,...i}=t;return{...i,concat:r.map(a=>this.map(a,n))}}mapFacet(t,n){return{...t,spec:this.map(t.spec,n)}}mapRepeat(t,n){
return{...t,spec:this.map(t.spec,n)}}},ble={zero:1,center:1,normalize:1};function xle(e){return Y(ble,e)}var vle=new Set([BR,k1,_1,Um,M1,Y3,V3,F1,PR,H3]),wle=new Set(
[k1,_1,BR]);function Pl(e){return U(e)&&Yl(e)==="quantitative"&&!e.bin}function tT(e,t,{orient:n,type:r}){let i=t==="x"?"y":"radius",a=t==="x"&&["bar","area"].includes(
r),o=e[t],s=e[i];if(U(o)&&U(s))if(Pl(o)&&Pl(s)){if(o.stack)return t;if(s.stack)return i;let u=U(o)&&!!o.aggregate,l=U(s)&&!!s.aggregate;if(u!==l)return u?t:i;if(a){
if(n==="vertical")return i;if(n==="horizontal")return t}}else{if(Pl(o))return t;if(Pl(s))return i}else{if(Pl(o))return a&&n==="vertical"?void 0:t;if(Pl(s))return a&&
n==="horizontal"?void 0:i}}function Ale(e){switch(e){case"x":return"y";case"y":return"x";case"theta":return"radius";case"radius":return"theta"}}function TO(e,t){
let n=qi(e)?e:{type:e},r=n.type;if(!vle.has(r))return null;let i=tT(t,"x",n)||tT(t,"theta",n);if(!i)return null;let a=t[i],o=U(a)?K(a,{}):void 0,s=Ale(i),u=[],l=new Set;
if(t[s]){let g=t[s],m=U(g)?K(g,{}):void 0;m&&m!==o&&(u.push(s),l.add(m))}let c=s==="x"?"xOffset":"yOffset",f=t[c],d=U(f)?K(f,{}):void 0;d&&d!==o&&(u.push(c),l.add(
d));let h=Mae.reduce((g,m)=>{if(m!=="tooltip"&&eu(t,m)){let y=t[m];for(let b of H(y)){let x=si(b);if(x.aggregate)continue;let v=K(x,{});(!v||!l.has(v))&&g.push(
{channel:m,fieldDef:x})}}return g},[]),p;return a.stack!==void 0?ta(a.stack)?p=a.stack?"zero":null:p=a.stack:wle.has(r)&&(p="zero"),!p||!xle(p)||cO(t)&&h.length===
0?null:(a?.scale?.type&&a?.scale?.type!==nn.LINEAR&&a?.stack&&j(Xoe(a.scale.type)),he(t[Yi(i)])?(a.stack!==void 0&&j(Voe(i)),null):(U(a)&&a.aggregate&&!qae.has(
a.aggregate)&&j(Koe(a.aggregate)),{groupbyChannels:u,groupbyFields:l,fieldChannel:i,impute:a.impute===null?!1:Jo(r),stackBy:h,offset:p}))}function RO(e,t,n){let r=tn(
e),i=Re("orient",r,n);if(r.orient=_le(r.type,t,i),i!==void 0&&i!==r.orient&&j($oe(r.orient,i)),r.type==="bar"&&r.orient){let u=Re("cornerRadiusEnd",r,n);if(u!==
void 0){let l=r.orient==="horizontal"&&t.x2||r.orient==="vertical"&&t.y2?["cornerRadius"]:Zse[r.orient];for(let c of l)r[c]=u;r.cornerRadiusEnd!==void 0&&delete r.
cornerRadiusEnd}}let a=Re("opacity",r,n),o=Re("fillOpacity",r,n);return a===void 0&&o===void 0&&(r.opacity=Sle(r.type,t)),Re("cursor",r,n)===void 0&&(r.cursor=Ele(
r,t,n)),r}function Ele(e,t,n){return t.href||e.href||Re("href",e,n)?"pointer":e.cursor}var OO=.7;function Sle(e,t){if(Ee([M1,H3,Y3,V3],e)&&!cO(t))return OO}function Cle(e,t,{
graticule:n}){if(n)return!1;let r=Ui("filled",e,t),i=e.type;return Ct(r,i!==M1&&i!==F1&&i!==Um)}function _le(e,t,n){switch(e){case M1:case Y3:case V3:case qse:case Use:
return}let{x:r,y:i,x2:a,y2:o}=t;switch(e){case PR:case k1:if(U(r)&&(en(r.bin)||U(i)&&i.aggregate&&!r.aggregate))return"vertical";if(U(i)&&(en(i.bin)||U(r)&&r.aggregate&&
!i.aggregate))return"horizontal";if(o||a){if(n)return n;if(!a)return(U(r)&&r.type===ou&&!We(r.bin)||jm(r))&&U(i)&&en(i.bin)?"horizontal":"vertical";if(!o)return(U(
i)&&i.type===ou&&!We(i.bin)||jm(i))&&U(r)&&en(r.bin)?"vertical":"horizontal"}case Um:if(a&&!(U(r)&&en(r.bin))&&o&&!(U(i)&&en(i.bin)))return;case _1:if(o)return U(
i)&&en(i.bin)?"horizontal":"vertical";if(a)return U(r)&&en(r.bin)?"vertical":"horizontal";if(e===Um){if(r&&!i)return"vertical";if(i&&!r)return"horizontal"}case F1:case H3:{
let s=Y$(r),u=Y$(i);if(n)return n;if(s&&!u)return e!=="tick"?"horizontal":"vertical";if(!s&&u)return e!=="tick"?"vertical":"horizontal";if(s&&u)return"vertical";
{let l=Nn(r)&&r.type===Gl,c=Nn(i)&&i.type===Gl;if(l&&!c)return"vertical";if(!l&&c)return"horizontal"}return}}return"vertical"}function kle(e){let{point:t,line:n,
...r}=e;return q(r).length>1?r:r.type}function Fle(e){for(let t of["line","area","rule","trail"])e[t]&&(e={...e,[t]:Tr(e[t],["point","line"])});return e}function fE(e,t={},n){
return e.point==="transparent"?{opacity:0}:e.point?V(e.point)?e.point:{}:e.point!==void 0?null:t.point||n.shape?V(t.point)?t.point:{}:void 0}function nT(e,t={}){
return e.line?e.line===!0?{}:e.line:e.line!==void 0?null:t.line?t.line===!0?{}:t.line:void 0}var $E=class{name="path-overlay";hasMatchingType(t,n){if(Va(t)){let{
mark:r,encoding:i}=t,a=qi(r)?r:{type:r};switch(a.type){case"line":case"rule":case"trail":return!!fE(a,n[a.type],i);case"area":return!!fE(a,n[a.type],i)||!!nT(a,
n[a.type])}}return!1}run(t,n,r){let{config:i}=n,{params:a,projection:o,mark:s,name:u,encoding:l,...c}=t,f=N1(l,i),d=qi(s)?s:{type:s},h=fE(d,i[d.type],f),p=d.type===
"area"&&nT(d,i[d.type]),g=[{name:u,...a?{params:a}:{},mark:kle({...d.type==="area"&&Re("opacity",d,i)==null&&Re("fillOpacity",d,i)==null?{opacity:OO}:{},...d}),
encoding:Tr(f,["shape"])}],m=TO(RO(d,f,i),f),y=f;if(m){let{fieldChannel:b,offset:x}=m;y={...f,[b]:{...f[b],...x?{stack:x}:{}}}}return y=Tr(y,["y2","x2"]),p&&g.push(
{...o?{projection:o}:{},mark:{type:"line",...Id(d,["clip","interpolate","tension","tooltip"]),...p},encoding:y}),h&&g.push({...o?{projection:o}:{},mark:{type:"p\
oint",opacity:1,filled:!0,...Id(d,["clip","tooltip"]),...h},encoding:y}),r({...c,layer:g},{...n,config:Fle(i)})}};function Mle(e,t){return t?sh(e)?BO(e,t):NO(e,
t):e}function dE(e,t){return t?BO(e,t):e}function TE(e,t,n){let r=t[e];if(due(r)){if(r.repeat in n)return{...t,[e]:n[r.repeat]};j(uoe(r.repeat));return}return t}
function NO(e,t){if(e=TE("field",e,t),e!==void 0){if(e===null)return null;if(t5(e)&&Ta(e.sort)){let n=TE("field",e.sort,t);e={...e,...n?{sort:n}:{}}}return e}}function rT(e,t){
if(U(e))return NO(e,t);{let n=TE("datum",e,t);return n!==e&&!n.type&&(n.type="nominal"),n}}function iT(e,t){if(he(e)){let n=rT(e,t);if(n)return n;if(uh(e))return{
condition:e.condition}}else{if(lh(e)){let n=rT(e.condition,t);if(n)return{...e,condition:n};{let{condition:r,...i}=e;return i}}return e}}function BO(e,t){let n={};
for(let r in e)if(W(e,r)){let i=e[r];if(R(i))n[r]=i.map(a=>iT(a,t)).filter(a=>a);else{let a=iT(i,t);a!==void 0&&(n[r]=a)}}return n}var RE=class{name="RuleForRan\
gedLine";hasMatchingType(t){if(Va(t)){let{encoding:n,mark:r}=t;if(r==="line"||qi(r)&&r.type==="line")for(let i of _ae){let a=gu(i),o=n[a];if(n[i]&&(U(o)&&!en(o.
bin)||Xi(o)))return!0}}return!1}run(t,n,r){let{encoding:i,mark:a}=t;return j(Doe(!!i.x2,!!i.y2)),r({...t,mark:V(a)?{...a,type:"rule"}:"rule"},n)}},OE=class extends jd{nonFacetUnitNormalizers=[
Oue,Pue,Wue,new $E,new RE];map(t,n){if(Va(t)){let r=eu(t.encoding,Da),i=eu(t.encoding,$a),a=eu(t.encoding,g1);if(r||i||a)return this.mapFacetedUnit(t,n)}return super.
map(t,n)}mapUnit(t,n){let{parentEncoding:r,parentProjection:i}=n,a=dE(t.encoding,n.repeater),o={...t,...t.name?{name:[n.repeaterPrefix,t.name].filter(u=>u).join(
"_")}:{},...a?{encoding:a}:{}};if(r||i)return this.mapUnitWithParentEncodingOrProjection(o,n);let s=this.mapLayerOrUnit.bind(this);for(let u of this.nonFacetUnitNormalizers)
if(u.hasMatchingType(o,n.config))return u.run(o,n,s);return o}mapRepeat(t,n){return yle(t)?this.mapLayerRepeat(t,n):this.mapNonLayerRepeat(t,n)}mapLayerRepeat(t,n){
let{repeat:r,spec:i,...a}=t,{row:o,column:s,layer:u}=r,{repeater:l={},repeaterPrefix:c=""}=n;return o||s?this.mapRepeat({...t,repeat:{...o?{row:o}:{},...s?{column:s}:
{}},spec:{repeat:{layer:u},spec:i}},n):{...a,layer:u.map(f=>{let d={...l,layer:f},h=`${(i.name?`${i.name}_`:"")+c}child__layer_${rt(f)}`,p=this.mapLayerOrUnit(i,
{...n,repeater:d,repeaterPrefix:h});return p.name=h,p})}}mapNonLayerRepeat(t,n){let{repeat:r,spec:i,data:a,...o}=t;!R(r)&&t.columns&&(t=Tr(t,["columns"]),j(P$("\
repeat")));let s=[],{repeater:u={},repeaterPrefix:l=""}=n,c=!R(r)&&r.row||[u?u.row:null],f=!R(r)&&r.column||[u?u.column:null],d=R(r)&&r||[u?u.repeat:null];for(let p of d)
for(let g of c)for(let m of f){let y={repeat:p,row:g,column:m,layer:u.layer},b=`${(i.name?`${i.name}_`:"")+l}child__${R(r)?`${rt(p)}`:(r.row?`row_${rt(g)}`:"")+
(r.column?`column_${rt(m)}`:"")}`,x=this.map(i,{...n,repeater:y,repeaterPrefix:b});x.name=b,s.push(Tr(x,["data"]))}let h=R(r)?t.columns:r.column?r.column.length:
1;return{data:i.data??a,align:"all",...o,columns:h,concat:s}}mapFacet(t,n){let{facet:r}=t;return sh(r)&&t.columns&&(t=Tr(t,["columns"]),j(P$("facet"))),super.mapFacet(
t,n)}mapUnitWithParentEncodingOrProjection(t,n){let{encoding:r,projection:i}=t,{parentEncoding:a,parentProjection:o,config:s}=n,u=oT({parentProjection:o,projection:i}),
l=aT({parentEncoding:a,encoding:dE(r,n.repeater)});return this.mapUnit({...t,...u?{projection:u}:{},...l?{encoding:l}:{}},{config:s})}mapFacetedUnit(t,n){let{row:r,
column:i,facet:a,...o}=t.encoding,{mark:s,width:u,projection:l,height:c,view:f,params:d,encoding:h,...p}=t,{facetMapping:g,layout:m}=this.getFacetMappingAndLayout(
{row:r,column:i,facet:a},n),y=dE(o,n.repeater);return this.mapFacet({...p,...m,facet:g,spec:{...u?{width:u}:{},...c?{height:c}:{},...f?{view:f}:{},...l?{projection:l}:
{},mark:s,encoding:y,...d?{params:d}:{}}},n)}getFacetMappingAndLayout(t,n){let{row:r,column:i,facet:a}=t;if(r||i){a&&j(Foe([...r?[Da]:[],...i?[$a]:[]]));let o={},
s={};for(let u of[Da,$a]){let l=t[u];if(l){let{align:c,center:f,spacing:d,columns:h,...p}=l;o[u]=p;for(let g of["align","center","spacing"])l[g]!==void 0&&(s[g]??=
{},s[g][u]=l[g])}}return{facetMapping:o,layout:s}}else{let{align:o,center:s,spacing:u,columns:l,...c}=a;return{facetMapping:Mle(c,n.repeater),layout:{...o?{align:o}:
{},...s?{center:s}:{},...u?{spacing:u}:{},...l?{columns:l}:{}}}}}mapLayer(t,{parentEncoding:n,parentProjection:r,...i}){let{encoding:a,projection:o,...s}=t,u={...i,
parentEncoding:aT({parentEncoding:n,encoding:a,layer:!0}),parentProjection:oT({parentProjection:r,projection:o})};return super.mapLayer({...s,...t.name?{name:[u.
repeaterPrefix,t.name].filter(l=>l).join("_")}:{}},u)}};function aT({parentEncoding:e,encoding:t={},layer:n}){let r={};if(e){let i=new Set([...q(e),...q(t)]);for(let a of i){
let o=t[a],s=e[a];if(he(o)){let u={...s,...o};r[a]=u}else lh(o)?r[a]={...o,condition:{...s,...o.condition}}:o||o===null?r[a]=o:(n||oi(s)||ne(s)||he(s)||R(s))&&(r[a]=
s)}}else r=t;return!r||je(r)?void 0:r}function oT(e){let{parentProjection:t,projection:n}=e;return t&&n&&j(yoe({parentProjection:t,projection:n})),n??t}function g5(e){
return W(e,"filter")}function Dle(e){return W(e,"stop")}function PO(e){return W(e,"lookup")}function $le(e){return W(e,"data")}function Tle(e){return W(e,"param")}
function Rle(e){return W(e,"pivot")}function Ole(e){return W(e,"density")}function Nle(e){return W(e,"quantile")}function Ble(e){return W(e,"regression")}function Ple(e){
return W(e,"loess")}function Ile(e){return W(e,"sample")}function zle(e){return W(e,"window")}function Lle(e){return W(e,"joinaggregate")}function Ule(e){return W(
e,"flatten")}function qle(e){return W(e,"calculate")}function IO(e){return W(e,"bin")}function jle(e){return W(e,"impute")}function Wle(e){return W(e,"timeUnit")}
function Gle(e){return W(e,"aggregate")}function Hle(e){return W(e,"stack")}function Yle(e){return W(e,"fold")}function Vle(e){return W(e,"extent")&&!W(e,"densi\
ty")&&!W(e,"regression")}function Xle(e){return e.map(t=>g5(t)?{filter:zl(t.filter,Sse)}:t)}var NE=class extends jd{map(t,n){return n.emptySelections??={},n.selectionPredicates??=
{},t=sT(t,n),super.map(t,n)}mapLayerOrUnit(t,n){if(t=sT(t,n),t.encoding){let r={};for(let[i,a]of nu(t.encoding))r[i]=zO(a,n);t={...t,encoding:r}}return super.mapLayerOrUnit(
t,n)}mapUnit(t,n){let{selection:r,...i}=t;return r?{...i,params:nu(r).map(([a,o])=>{let{init:s,bind:u,empty:l,...c}=o;c.type==="single"?(c.type="point",c.toggle=
!1):c.type==="multi"&&(c.type="point"),n.emptySelections[a]=l!=="none";for(let f of $t(n.selectionPredicates[a]??{}))f.empty=l!=="none";return{name:a,value:s,select:c,
bind:u}})}:t}};function sT(e,t){let{transform:n,...r}=e;if(n){let i=n.map(a=>{if(g5(a))return{filter:BE(a,t)};if(IO(a)&&mu(a.bin))return{...a,bin:LO(a.bin)};if(PO(
a)){let{selection:o,...s}=a.from;return o?{...a,from:{param:o,...s}}:a}return a});return{...r,transform:i}}return e}function zO(e,t){let n=de(e);if(U(n)&&mu(n.bin)&&
(n.bin=LO(n.bin)),vu(n)&&n.scale?.domain?.selection){let{selection:r,...i}=n.scale.domain;n.scale.domain={...i,...r?{param:r}:{}}}if(uh(n))if(R(n.condition))n.condition=
n.condition.map(r=>{let{selection:i,param:a,test:o,...s}=r;return a?r:{...s,test:BE(r,t)}});else{let{selection:r,param:i,test:a,...o}=zO(n.condition,t);n.condition=
i?n.condition:{...o,test:BE(n.condition,t)}}return n}function LO(e){let t=e.extent;if(t?.selection){let{selection:n,...r}=t;return{...e,extent:{...r,param:n}}}return e}
function BE(e,t){let n=r=>zl(r,i=>{let a=t.emptySelections[i]??!0,o={param:i,empty:a};return t.selectionPredicates[i]??=[],t.selectionPredicates[i].push(o),o});
return e.selection?n(e.selection):zl(e.test||e.filter,r=>r.selection?n(r.selection):r)}var Wd=class extends jd{map(t,n){let r=n.selections??[];if(t.params&&!Va(
t)){let i=[];for(let a of t.params)d5(a)?r.push(a):i.push(a);t.params=i}return n.selections=r,super.map(t,n)}mapUnit(t,n){let r=n.selections;if(!r||!r.length)return t;
let i=(n.path??[]).concat(t.name),a=[];for(let o of r)if(!o.views||!o.views.length)a.push(o);else for(let s of o.views)(X(s)&&(s===t.name||i.includes(s))||R(s)&&
s.map(u=>i.indexOf(u)).every((u,l,c)=>u!==-1&&(l===0||u>c[l-1])))&&a.push(o);return a.length&&(t.params=a),t}};for(let e of["mapFacet","mapRepeat","mapHConcat",
"mapVConcat","mapLayer"]){let t=Wd.prototype[e];Wd.prototype[e]=function(n,r){return t.call(this,n,Kle(n,r))}}function Kle(e,t){return e.name?{...t,path:(t.path??
[]).concat(e.name)}:t}function Qle(e,t){t===void 0&&(t=$O(e.config));let n=tce(e,t),{width:r,height:i}=e,a=nce(n,{width:r,height:i,autosize:e.autosize},t);return{
...n,...a?{autosize:a}:{}}}var Zle=new OE,Jle=new NE,ece=new Wd;function tce(e,t={}){let n={config:t};return ece.map(Zle.map(Jle.map(e,n),n),n)}function uT(e){return X(
e)?{type:e}:e??{}}function nce(e,t,n){let{width:r,height:i}=t,a=Va(e)||P1(e),o={};a?r=="container"&&i=="container"?(o.type="fit",o.contains="padding"):r=="conta\
iner"?(o.type="fit-x",o.contains="padding"):i=="container"&&(o.type="fit-y",o.contains="padding"):(r=="container"&&(j(R$("width")),r=void 0),i=="container"&&(j(
R$("height")),i=void 0));let s={type:"pad",...o,...n?uT(n.autosize):{},...uT(e.autosize)};if(s.type==="fit"&&!a&&(j(Qae),s.type="pad"),r=="container"&&!(s.type==
"fit"||s.type=="fit-x")&&j(O$("width")),i=="container"&&!(s.type=="fit"||s.type=="fit-y")&&j(O$("height")),!Dr(s,{type:"pad"}))return s}function rce(e){return["\
fit","fit-x","fit-y"].includes(e)}function ice(e){return e?`fit-${v1(e)}`:"fit"}var ace=["background","padding"];function lT(e,t){let n={};for(let r of ace)e&&e[r]!==
void 0&&(n[r]=hr(e[r]));return t&&(n.params=e.params),n}var Pa=class e{explicit;implicit;constructor(t={},n={}){this.explicit=t,this.implicit=n}clone(){return new e(
de(this.explicit),de(this.implicit))}combine(){return{...this.explicit,...this.implicit}}get(t){return Ct(this.explicit[t],this.implicit[t])}getWithExplicit(t){
return this.explicit[t]!==void 0?{explicit:!0,value:this.explicit[t]}:this.implicit[t]!==void 0?{explicit:!1,value:this.implicit[t]}:{explicit:!1,value:void 0}}setWithExplicit(t,{
value:n,explicit:r}){n!==void 0&&this.set(t,n,r)}set(t,n,r){return delete this[r?"implicit":"explicit"][t],this[r?"explicit":"implicit"][t]=n,this}copyKeyFromSplit(t,{
explicit:n,implicit:r}){n[t]!==void 0?this.set(t,n[t],!0):r[t]!==void 0&&this.set(t,r[t],!1)}copyKeyFromObject(t,n){n[t]!==void 0&&this.set(t,n[t],!0)}copyAll(t){
for(let n of q(t.combine())){let r=t.getWithExplicit(n);this.setWithExplicit(n,r)}}};function Ii(e){return{explicit:!0,value:e}}function dr(e){return{explicit:!1,
value:e}}function UO(e){return(t,n,r,i)=>{let a=e(t.value,n.value);return a>0?t:a<0?n:I1(t,n,r,i)}}function I1(e,t,n,r){return e.explicit&&t.explicit&&j(Loe(n,r,
e.value,t.value)),e}function qo(e,t,n,r,i=I1){return e===void 0||e.value===void 0?t:e.explicit&&!t.explicit?e:t.explicit&&!e.explicit?t:Dr(e.value,t.value)?e:i(
e,t,n,r)}var PE=class extends Pa{explicit;implicit;parseNothing;constructor(t={},n={},r=!1){super(t,n),this.explicit=t,this.implicit=n,this.parseNothing=r}clone(){
let t=super.clone();return t.parseNothing=this.parseNothing,t}};function Zl(e){return W(e,"url")}function Gd(e){return W(e,"values")}function qO(e){return W(e,"\
name")&&!Zl(e)&&!Gd(e)&&!Lo(e)}function Lo(e){return e&&(jO(e)||WO(e)||m5(e))}function jO(e){return W(e,"sequence")}function WO(e){return W(e,"sphere")}function m5(e){
return W(e,"graticule")}var it;(function(e){e[e.Raw=0]="Raw",e[e.Main=1]="Main",e[e.Row=2]="Row",e[e.Column=3]="Column",e[e.Lookup=4]="Lookup",e[e.PreFilterInvalid=
5]="PreFilterInvalid",e[e.PostFilterInvalid=6]="PostFilterInvalid"})(it||(it={}));function GO({invalid:e,isPath:t}){switch(LR(e,{isPath:t})){case"filter":return{
marks:"exclude-invalid-values",scales:"exclude-invalid-values"};case"break-paths-show-domains":return{marks:t?"include-invalid-values":"exclude-invalid-values",
scales:"include-invalid-values"};case"break-paths-filter-domains":return{marks:t?"include-invalid-values":"exclude-invalid-values",scales:"exclude-invalid-value\
s"};case"show":return{marks:"include-invalid-values",scales:"include-invalid-values"}}}function oce(e){let{marks:t,scales:n}=GO(e);return t===n?it.Main:n==="inc\
lude-invalid-values"?it.PreFilterInvalid:it.PostFilterInvalid}var $e=class{debugName;_children=[];_parent=null;_hash;constructor(t,n){this.debugName=n,t&&(this.
parent=t)}clone(){throw new Error("Cannot clone node")}get parent(){return this._parent}set parent(t){this._parent=t,t&&t.addChild(this)}get children(){return this.
_children}numChildren(){return this._children.length}addChild(t,n){if(this._children.includes(t)){j(poe);return}n!==void 0?this._children.splice(n,0,t):this._children.
push(t)}removeChild(t){let n=this._children.indexOf(t);return this._children.splice(n,1),n}remove(){let t=this._parent.removeChild(this);for(let n of this._children)
n._parent=this._parent,this._parent.addChild(n,t++)}insertAsParentOf(t){let n=t.parent;n.removeChild(this),this.parent=n,t.parent=this}swapWithParent(){let t=this.
_parent,n=t.parent;for(let i of this._children)i.parent=t;this._children=[],t.removeChild(this);let r=t.parent.removeChild(t);this._parent=n,n.addChild(this,r),
t.parent=this}},bn=class extends $e{type;refCounts;_source;_name;clone(){let t=new this.constructor;return t.debugName=`clone_${this.debugName}`,t._source=this.
_source,t._name=`clone_${this._name}`,t.type=this.type,t.refCounts=this.refCounts,t.refCounts[t._name]=0,t}constructor(t,n,r,i){super(t,n),this.type=r,this.refCounts=
i,this._source=this._name=n,this.refCounts&&!(this._name in this.refCounts)&&(this.refCounts[this._name]=0)}dependentFields(){return new Set}producedFields(){return new Set}hash(){
return this._hash===void 0&&(this._hash=`Output ${yae()}`),this._hash}getSource(){return this.refCounts[this._name]++,this._source}isRequired(){return!!this.refCounts[this.
_name]}setSource(t){this._source=t}};function hE(e){return e.as!==void 0}function cT(e){return`${e}_end`}var jo=class e extends $e{timeUnits;clone(){return new e(
null,de(this.timeUnits))}constructor(t,n){super(t),this.timeUnits=n}static makeFromEncoding(t,n){let r=n.reduceFieldDef((i,a,o)=>{let{field:s,timeUnit:u}=a;if(u){
let l;if(xu(u)){if(et(n)){let{mark:c,markDef:f,config:d}=n,h=Ba({fieldDef:a,markDef:f,config:d});(qd(c)||h)&&(l={timeUnit:Gt(u),field:s})}}else l={as:K(a,{forAs:!0}),
field:s,timeUnit:u};if(et(n)){let{mark:c,markDef:f,config:d}=n,h=Ba({fieldDef:a,markDef:f,config:d});qd(c)&&wt(o)&&h!==.5&&(l.rectBandPosition=h)}l&&(i[ye(l)]=l)}
return i},{});return je(r)?null:new e(t,r)}static makeFromTransform(t,n){let{timeUnit:r,...i}={...n},a=Gt(r),o={...i,timeUnit:a};return new e(t,{[ye(o)]:o})}merge(t){
this.timeUnits={...this.timeUnits};for(let n in t.timeUnits)this.timeUnits[n]||(this.timeUnits[n]=t.timeUnits[n]);for(let n of t.children)t.removeChild(n),n.parent=
this;t.remove()}removeFormulas(t){let n={};for(let[r,i]of nu(this.timeUnits)){let a=hE(i)?i.as:`${i.field}_end`;t.has(a)||(n[r]=i)}this.timeUnits=n}producedFields(){
return new Set($t(this.timeUnits).map(t=>hE(t)?t.as:cT(t.field)))}dependentFields(){return new Set($t(this.timeUnits).map(t=>t.field))}hash(){return`TimeUnit ${ye(
this.timeUnits)}`}assemble(){let t=[];for(let n of $t(this.timeUnits)){let{rectBandPosition:r}=n,i=Gt(n.timeUnit);if(hE(n)){let{field:a,as:o}=n,{unit:s,utc:u,...l}=i,
c=[o,`${o}_end`];t.push({field:ii(a),type:"timeunit",...s?{units:S1(s)}:{},...u?{timezone:"utc"}:{},...l,as:c}),t.push(...fT(c,r,i))}else if(n){let{field:a}=n,o=pae(
a),s=HO({timeUnit:i,field:o}),u=cT(o);t.push({type:"formula",expr:s,as:u}),t.push(...fT([o,u],r,i))}}return t}},z1="offsetted_rect_start",L1="offsetted_rect_end";
function HO({timeUnit:e,field:t,reverse:n}){let{unit:r,utc:i}=e,a=ER(r),{part:o,step:s}=kR(a,e.step);return`${i?"utcOffset":"timeOffset"}('${o}', ${Le(t)}, ${n?
-s:s})`}function fT([e,t],n,r){if(n!==void 0&&n!==.5){let i=Le(e),a=Le(t);return[{type:"formula",expr:dT([HO({timeUnit:r,field:e,reverse:!0}),i],n+.5),as:`${e}_${z1}`},
{type:"formula",expr:dT([i,a],n+.5),as:`${e}_${L1}`}]}return[]}function dT([e,t],n){return`${1-n} * ${e} + ${n} * ${t}`}var dh="_tuple_fields",IE=class{hasChannel;hasField;hasSelectionId;timeUnit;items;constructor(...t){
this.items=t,this.hasChannel={},this.hasField={},this.hasSelectionId=!1}},sce={defined:()=>!0,parse:(e,t,n)=>{let r=t.name,i=t.project??=new IE,a={},o={},s=new Set,
u=(p,g)=>{let m=g==="visual"?p.channel:p.field,y=rt(`${r}_${m}`);for(let b=1;s.has(y);b++)y=rt(`${r}_${m}_${b}`);return s.add(y),{[g]:y}},l=t.type,c=e.config.selection[l],
f=n.value!==void 0?H(n.value):null,{fields:d,encodings:h}=V(n.select)?n.select:{};if(!d&&!h&&f){for(let p of f)if(V(p))for(let g of q(p))Cae(g)?(h||(h=[])).push(
g):l==="interval"?(j(soe),h=c.encodings):(d??=[]).push(g)}!d&&!h&&(h=c.encodings,"fields"in c&&(d=c.fields));for(let p of h??[]){let g=e.fieldDef(p);if(g){let m=g.
field;if(g.aggregate){j(Zae(p,g.aggregate));continue}else if(!m){j(B$(p));continue}if(g.timeUnit&&!xu(g.timeUnit)){m=e.vgField(p);let y={timeUnit:g.timeUnit,as:m,
field:g.field};o[ye(y)]=y}if(!a[m]){let y=l==="interval"&&Vi(p)&&ai(e.getScaleComponent(p).get("type"))?"R":g.bin?"R-RE":"E",b={field:m,channel:p,type:y,index:i.
items.length};b.signals={...u(b,"data"),...u(b,"visual")},i.items.push(a[m]=b),i.hasField[m]=a[m],i.hasSelectionId=i.hasSelectionId||m===ui,YT(p)?(b.geoChannel=
p,b.channel=HT(p),i.hasChannel[b.channel]=a[m]):i.hasChannel[p]=a[m]}}else j(B$(p))}for(let p of d??[]){if(i.hasField[p])continue;let g={type:"E",field:p,index:i.
items.length};g.signals={...u(g,"data")},i.items.push(g),i.hasField[p]=g,i.hasSelectionId=i.hasSelectionId||p===ui}f&&(t.init=f.map(p=>i.items.map(g=>V(p)?p[g.geoChannel||
g.channel]!==void 0?p[g.geoChannel||g.channel]:p[g.field]:p))),je(o)||(i.timeUnit=new jo(null,o))},signals:(e,t,n)=>{let r=t.name+dh;return n.filter(a=>a.name===
r).length>0||t.project.hasSelectionId?n:n.concat({name:r,value:t.project.items.map(KO)})}},YO="_curr",Im="anim_value",Il="anim_clock",zE="eased_anim_clock",VO="\
min_extent",XO="max_range_extent",pE="last_tick_at",gE="is_playing",uce=1/60*1e3,lce=(e,t)=>[{name:zE,update:Il},{name:`${e}_domain`,init:`domain('${t}')`},{name:VO,
init:`extent(${e}_domain)[0]`},{name:XO,init:`extent(range('${t}'))[1]`},{name:Im,update:`invert('${t}', ${zE})`}],cce={defined:e=>e.type==="point",topLevelSignals:(e,t,n)=>(Li(
t)&&(n=n.concat([{name:Il,init:"0",on:[{events:{type:"timer",throttle:uce},update:`${gE} ? (${Il} + (now() - ${pE}) > ${XO} ? 0 : ${Il} + (now() - ${pE})) : ${Il}`}]},
{name:pE,init:"now()",on:[{events:[{signal:Il},{signal:gE}],update:"now()"}]},{name:gE,init:"true"}])),n),signals:(e,t,n)=>{let r=t.name,i=r+dh,a=t.project,o="(\
item().isVoronoi ? datum.datum : datum)",s=$t(e.component.selection??{}).reduce((c,f)=>f.type==="interval"?c.concat(f.name+ql):c,[]).map(c=>`indexof(item().mark\
.name, '${c}') < 0`).join(" && "),u=`datum && item().mark.marktype !== 'group' && indexof(item().mark.role, 'legend') < 0${s?` && ${s}`:""}`,l=`unit: ${tu(e)}, `;
if(t.project.hasSelectionId)l+=`${ui}: ${o}[${I(ui)}]`;else if(Li(t))l+=`fields: ${i}, values: [${Im} ? ${Im} : ${VO}]`;else{let c=a.items.map(f=>e.fieldDef(f.channel)?.
bin?`[${o}[${I(e.vgField(f.channel,{}))}], ${o}[${I(e.vgField(f.channel,{binSuffix:"end"}))}]]`:`${o}[${I(f.field)}]`).join(", ");l+=`fields: ${i}, values: [${c}\
]`}if(Li(t))return n.concat(lce(t.name,e.scaleName(Yo)),[{name:r+za,on:[{events:[{signal:zE},{signal:Im}],update:`{${l}}`,force:!0}]}]);{let c=t.events;return n.
concat([{name:r+za,on:c?[{events:c,update:`${u} ? {${l}} : null`,force:!0}]:[]}])}}};function KO(e){let{signals:t,hasLegend:n,index:r,...i}=e;return i.field=ii(
i.field),i}function lu(e,t=!0,n=Et){if(R(e)){let r=e.map(i=>lu(i,t,n));return t?`[${r.join(", ")}]`:r}else if(bu(e))return n(t?au(e):dse(e));return t?n(Ue(e)):e}
function fce(e,t){for(let n of $t(e.component.selection??{})){let r=n.name,i=`${r}${za}, ${n.resolve==="global"?"true":`{unit: ${tu(e)}}`}`;for(let a of U1)a.defined(
n)&&(a.signals&&(t=a.signals(e,n,t)),a.modifyExpr&&(i=a.modifyExpr(e,n,i)));t.push({name:r+Ice,on:[{events:{signal:n.name+za},update:`modify(${I(n.name+cu)}, ${i}\
)`}]})}return y5(t)}function dce(e,t){if(e.component.selection&&q(e.component.selection).length){let n=I(e.getName("cell"));t.unshift({name:"facet",value:{},on:[
{events:Ni("pointermove","scope"),update:`isTuple(facet) ? facet : group(${n}).datum`}]})}return y5(t)}function hce(e,t){let n=!1;for(let r of $t(e.component.selection??
{})){let i=r.name,a=I(i+cu);if(t.filter(s=>s.name===i).length===0){let s=r.resolve==="global"?"union":r.resolve,u=r.type==="point"?", true, true)":")";t.push({name:r.
name,update:`${pN}(${a}, ${I(s)}${u}`})}n=!0;for(let s of U1)s.defined(r)&&s.topLevelSignals&&(t=s.topLevelSignals(e,r,t))}return n&&t.filter(i=>i.name==="unit").
length===0&&t.unshift({name:"unit",value:{},on:[{events:"pointermove",update:"isTuple(group()) ? group() : unit"}]}),y5(t)}function pce(e,t){let n=[],r=[],i=tu(
e,{escape:!1});for(let a of $t(e.component.selection??{})){let o={name:a.name+cu};if(a.project.hasSelectionId&&(o.transform=[{type:"collect",sort:{field:ui}}]),
a.init){let u=a.project.items.map(KO);o.values=a.project.hasSelectionId?a.init.map(l=>({unit:i,[ui]:lu(l,!1)[0]})):a.init.map(l=>({unit:i,fields:u,values:lu(l,!1)}))}
if([...n,...t].filter(u=>u.name===a.name+cu).length||n.push(o),Li(a)&&t.length){let u=e.lookupDataSource(e.getDataName(it.Main)),l=t.find(f=>f.name===u),c=l.transform.
find(f=>f.type==="filter"&&f.expr.includes("vlSelectionTest"));if(c){l.transform=l.transform.filter(d=>d!==c);let f={name:l.name+YO,source:l.name,transform:[c]};
r.push(f)}}}return n.concat(t,r)}function QO(e,t){for(let n of $t(e.component.selection??{}))for(let r of U1)r.defined(n)&&r.marks&&(t=r.marks(e,n,t));return t}
function gce(e,t){for(let n of e.children)et(n)&&(t=QO(n,t));return t}function mce(e,t,n,r){let i=xN(e,t.param,t);return{signal:ai(n.get("type"))&&R(r)&&r[0]>r[1]?
`isValid(${i}) && reverse(${i})`:i}}function y5(e){return e.map(t=>(t.on&&!t.on.length&&delete t.on,t))}var Ra={defined:e=>e.type==="interval"&&e.resolve==="glo\
bal"&&e.bind&&e.bind==="scales",parse:(e,t)=>{let n=t.scales=[];for(let r of t.project.items){let i=r.channel;if(!Vi(i))continue;let a=e.getScaleComponent(i),o=a?
a.get("type"):void 0;if(o=="sequential"&&j(noe),!a||!ai(o)){j(toe);continue}a.set("selectionExtent",{param:t.name,field:r.field},!0),n.push(r)}},topLevelSignals:(e,t,n)=>{
let r=t.scales.filter(o=>n.filter(s=>s.name===o.signals.data).length===0);if(!e.parent||UE(e)||r.length===0)return n;let i=n.find(o=>o.name===t.name),a=i.update;
if(a.includes(pN))i.update=`{${r.map(o=>`${I(ii(o.field))}: ${o.signals.data}`).join(", ")}}`;else{for(let o of r){let s=`${I(ii(o.field))}: ${o.signals.data}`;
a.includes(s)||(a=`${a.substring(0,a.length-1)}, ${s}}`)}i.update=a}return n.concat(r.map(o=>({name:o.signals.data})))},signals:(e,t,n)=>{if(e.parent&&!UE(e))for(let r of t.
scales){let i=n.find(a=>a.name===r.signals.data);i.push="outer",delete i.value,delete i.update}return n}};function LE(e,t){return`domain(${I(e.scaleName(t))})`}
function UE(e){return e.parent&&sc(e.parent)&&(!e.parent.parent||UE(e.parent.parent))}var ql="_brush",ZO="_scale_trigger",Od="geo_interval_init_tick",JO="_init",
yce="_center",bce={defined:e=>e.type==="interval",parse:(e,t,n)=>{if(e.hasProjection){let r={...V(n.select)?n.select:{}};r.fields=[ui],r.encodings||(r.encodings=
n.value?q(n.value):[di,fi]),n.select={type:"interval",...r}}if(t.translate&&!Ra.defined(t)){let r=`!event.item || event.item.mark.name !== ${I(t.name+ql)}`;for(let i of t.
events){if(!i.between){j(`${i} is not an ordered event stream for interval selections.`);continue}let a=H(i.between[0].filter??=[]);a.includes(r)||a.push(r)}}},
signals:(e,t,n)=>{let r=t.name,i=r+za,a=$t(t.project.hasChannel).filter(s=>s.channel===Xe||s.channel===Tt),o=t.init?t.init[0]:null;if(n.push(...a.reduce((s,u)=>s.
concat(xce(e,t,u,o?.[u.index])),[])),e.hasProjection){let s=I(e.projectionName()),u=e.projectionName()+yce,{x:l,y:c}=t.project.hasChannel,f=l?.signals.visual,d=c?.
signals.visual,h=l?o?.[l.index]:`${u}[0]`,p=c?o?.[c.index]:`${u}[1]`,g=w=>e.getSizeSignalRef(w).signal,m=`[[${f?`${f}[0]`:"0"}, ${d?`${d}[0]`:"0"}],[${f?`${f}[1\
]`:g("width")}, ${d?`${d}[1]`:g("height")}]]`;o&&(n.unshift({name:r+JO,init:`[scale(${s}, [${l?h[0]:h}, ${c?p[0]:p}]), scale(${s}, [${l?h[1]:h}, ${c?p[1]:p}])]`}),
(!l||!c)&&(n.find(E=>E.name===u)||n.unshift({name:u,update:`invert(${s}, [${g("width")}/2, ${g("height")}/2])`})));let y=`intersect(${m}, {markname: ${I(e.getName(
"marks"))}}, unit.mark)`,b=`{unit: ${tu(e)}}`,x=`vlSelectionTuples(${y}, ${b})`,v=a.map(w=>w.signals.visual);return n.concat({name:i,on:[{events:[...v.length?[{
signal:v.join(" || ")}]:[],...o?[{signal:Od}]:[]],update:x}]})}else{if(!Ra.defined(t)){let l=r+ZO,c=a.map(f=>{let d=f.channel,{data:h,visual:p}=f.signals,g=I(e.
scaleName(d)),m=e.getScaleComponent(d).get("type"),y=ai(m)?"+":"";return`(!isArray(${h}) || (${y}invert(${g}, ${p})[0] === ${y}${h}[0] && ${y}invert(${g}, ${p})\
[1] === ${y}${h}[1]))`});c.length&&n.push({name:l,value:{},on:[{events:a.map(f=>({scale:e.scaleName(f.channel)})),update:`${c.join(" && ")} ? ${l} : {}`}]})}let s=a.
map(l=>l.signals.data),u=`unit: ${tu(e)}, fields: ${r+dh}, values`;return n.concat({name:i,...o?{init:`{${u}: ${lu(o)}}`}:{},...s.length?{on:[{events:[{signal:s.
join(" || ")}],update:`${s.join(" && ")} ? {${u}: [${s}]} : null`}]}:{}})}},topLevelSignals:(e,t,n)=>(et(e)&&e.hasProjection&&t.init&&(n.filter(i=>i.name===Od).
length||n.unshift({name:Od,value:null,on:[{events:"timer{1}",update:`${Od} === null ? {} : ${Od}`}]})),n),marks:(e,t,n)=>{let r=t.name,{x:i,y:a}=t.project.hasChannel,
o=i?.signals.visual,s=a?.signals.visual,u=`data(${I(t.name+cu)})`;if(Ra.defined(t)||!i&&!a)return n;let l={x:i!==void 0?{signal:`${o}[0]`}:{value:0},y:a!==void 0?
{signal:`${s}[0]`}:{value:0},x2:i!==void 0?{signal:`${o}[1]`}:{field:{group:"width"}},y2:a!==void 0?{signal:`${s}[1]`}:{field:{group:"height"}}};if(t.resolve===
"global")for(let m of q(l))l[m]=[{test:`${u}.length && ${u}[0].unit === ${tu(e)}`,...l[m]},{value:0}];let{fill:c,fillOpacity:f,cursor:d,...h}=t.mark,p=q(h).reduce(
(m,y)=>(m[y]=[{test:[i!==void 0&&`${o}[0] !== ${o}[1]`,a!==void 0&&`${s}[0] !== ${s}[1]`].filter(b=>b).join(" && "),value:h[y]},{value:null}],m),{}),g=d??(t.translate?
"move":null);return[{name:`${r+ql}_bg`,type:"rect",clip:!0,encode:{enter:{fill:{value:c},fillOpacity:{value:f}},update:l}},...n,{name:r+ql,type:"rect",clip:!0,encode:{
enter:{...g?{cursor:{value:g}}:{},fill:{value:"transparent"}},update:{...l,...p}}}]}};function xce(e,t,n,r){let i=!e.hasProjection,a=n.channel,o=n.signals.visual,
s=I(i?e.scaleName(a):e.projectionName()),u=d=>`scale(${s}, ${d})`,l=e.getSizeSignalRef(a===Xe?"width":"height").signal,c=`${a}(unit)`,f=t.events.reduce((d,h)=>[
...d,{events:h.between[0],update:`[${c}, ${c}]`},{events:h,update:`[${o}[0], clamp(${c}, 0, ${l})]`}],[]);if(i){let d=n.signals.data,h=Ra.defined(t),p=e.getScaleComponent(
a),g=p?p.get("type"):void 0,m=r?{init:lu(r,!0,u)}:{value:[]};return f.push({events:{signal:t.name+ZO},update:ai(g)?`[${u(`${d}[0]`)}, ${u(`${d}[1]`)}]`:"[0, 0]"}),
h?[{name:d,on:[]}]:[{name:o,...m,on:f},{name:d,...r?{init:lu(r)}:{},on:[{events:{signal:o},update:`${o}[0] === ${o}[1] ? null : invert(${s}, ${o})`}]}]}else{let d=a===
Xe?0:1,h=t.name+JO,p=r?{init:`[${h}[0][${d}], ${h}[1][${d}]]`}:{value:[]};return[{name:o,...p,on:f}]}}function oc({model:e,channelDef:t,vgChannel:n,invalidValueRef:r,
mainRefFn:i}){let a=uh(t)&&t.condition,o=[];a&&(o=H(a).map(l=>{let c=i(l);if(fue(l)){let{param:f,empty:d}=l;return{test:bN(e,{param:f,empty:d}),...c}}else return{
test:Km(e,l.test),...c}})),r!==void 0&&o.push(r);let s=i(t);return s!==void 0&&o.push(s),o.length>1||o.length===1&&o[0].test?{[n]:o}:o.length===1?{[n]:o[0]}:{}}
function b5(e,t="text"){let n=e.encoding[t];return oc({model:e,channelDef:n,vgChannel:t,mainRefFn:r=>x5(r,e.config),invalidValueRef:void 0})}function x5(e,t,n="\
datum"){if(e){if(oi(e))return Ve(e.value);if(he(e)){let{format:r,formatType:i}=Xl(e);return J3({fieldOrDatumDef:e,format:r,formatType:i,expr:n,config:t})}}}function eN(e,t={}){
let{encoding:n,markDef:r,config:i,stack:a}=e,o=n.tooltip;if(R(o))return{tooltip:hT({tooltip:o},a,i,t)};{let s=t.reactiveGeom?"datum.datum":"datum";return oc({model:e,
channelDef:o,vgChannel:"tooltip",mainRefFn:l=>{let c=nN(l,i,s);if(c)return c;if(l===null)return;let f=Re("tooltip",r,i);if(f===!0&&(f={content:"encoding"}),X(f))
return{value:f};if(V(f))return ne(f)?f:f.content==="encoding"?hT(n,a,i,t):{signal:s}},invalidValueRef:void 0})}}function tN(e,t,n,{reactiveGeom:r}={}){let i={...n,
...n.tooltipFormat},a=new Set,o=r?"datum.datum":"datum",s=[];function u(c,f){let d=gu(f),h=Nn(c)?c:{...c,type:e[d].type},p=h.title||r5(h,i),g=H(p).join(", ").replaceAll(
/"/g,'\\"'),m;if(wt(f)){let y=f==="x"?"x2":"y2",b=si(e[y]);if(en(h.bin)&&b){let x=K(h,{expr:o}),v=K(b,{expr:o}),{format:w,formatType:E}=Xl(h);m=oh(x,v,w,E,i),a.
add(y)}}if((wt(f)||f===Or||f===ci)&&t&&t.fieldChannel===f&&t.offset==="normalize"){let{format:y,formatType:b}=Xl(h);m=J3({fieldOrDatumDef:h,format:y,formatType:b,
expr:o,config:i,normalizeStack:!0}).signal}m??=nN(h,i,o).signal,s.push({channel:f,key:g,value:m})}a5(e,(c,f)=>{U(c)?u(c,f):T1(c)&&u(c.condition,f)});let l={};for(let{
channel:c,key:f,value:d}of s)!a.has(c)&&!l[f]&&(l[f]=d);return l}function hT(e,t,n,{reactiveGeom:r}={}){let i=tN(e,t,n,{reactiveGeom:r}),a=nu(i).map(([o,s])=>`"${o}\
": ${s}`);return a.length>0?{signal:`{${a.join(", ")}}`}:void 0}function nN(e,t,n="datum"){if(U(e)&&j3(e.type)&&!e.timeUnit&&!Xl(e).format&&!Xl(e).formatType){let r=`${n}\
["${e.field}"]`;return{signal:`isValid(${r}) ? isArray(${r}) ? join(${r}, '\\n') : ${r} : ""+${r}`}}return x5(e,t,n)}function vce(e){let{markDef:t,config:n}=e,r=Re(
"aria",t,n);return r===!1?{}:{...r?{aria:r}:{},...wce(e),...Ace(e)}}function wce(e){let{mark:t,markDef:n,config:r}=e;if(r.aria===!1)return{};let i=Re("ariaRoleD\
escription",n,r);return i!=null?{ariaRoleDescription:{value:i}}:Y(Yae,t)?{}:{ariaRoleDescription:{value:t}}}function Ace(e){let{encoding:t,markDef:n,config:r,stack:i}=e,
a=t.description;if(a)return oc({model:e,channelDef:a,vgChannel:"description",mainRefFn:u=>x5(u,e.config),invalidValueRef:void 0});let o=Re("description",n,r);if(o!=
null)return{description:Ve(o)};if(r.aria===!1)return{};let s=tN(t,i,r);if(!je(s))return{description:{signal:nu(s).filter(([u])=>!u.startsWith("_")).map(([u,l])=>[
u,l.replaceAll("\\n"," ")]).map(([u,l],c)=>`"${c>0?"; ":""}${u}: " + (${l})`).join(" + ")}}}function rn(e,t,n={}){let{markDef:r,encoding:i,config:a}=t,{vgChannel:o}=n,
{defaultRef:s,defaultValue:u}=n,l=i[e];s===void 0&&(u??=Re(e,r,a,{vgChannel:o,ignoreVgConfig:!uh(l)}),u!==void 0&&(s=Ve(u)));let c={markDef:r,config:a,scaleName:t.
scaleName(e),scale:t.getScaleComponent(e)},f=qR({...c,scaleChannel:e,channelDef:l});return oc({model:t,channelDef:l,vgChannel:o??e,invalidValueRef:f,mainRefFn:h=>Z3(
{...c,channel:e,channelDef:h,stack:null,defaultRef:s})})}function rN(e,t={filled:void 0}){let{markDef:n,encoding:r,config:i}=e,{type:a}=n,o=t.filled??Re("filled",
n,i),s=Ee(["bar","point","circle","square","geoshape"],a)?"transparent":void 0,u=Re(o===!0?"color":void 0,n,i,{vgChannel:"fill"})??i.mark[o===!0&&"color"]??s,l=Re(
o===!1?"color":void 0,n,i,{vgChannel:"stroke"})??i.mark[o===!1&&"color"],c=o?"fill":"stroke",f={...u?{fill:Ve(u)}:{},...l?{stroke:Ve(l)}:{}};return n.color&&(o?
n.fill:n.stroke)&&j(pR("property",{fill:"fill"in n,stroke:"stroke"in n})),{...f,...rn("color",e,{vgChannel:c,defaultValue:o?u:l}),...rn("fill",e,{defaultValue:r.
fill?u:void 0}),...rn("stroke",e,{defaultValue:r.stroke?l:void 0})}}function Ece(e){let{encoding:t,mark:n}=e,r=t.order;return!Jo(n)&&oi(r)?oc({model:e,channelDef:r,
vgChannel:"zindex",mainRefFn:i=>Ve(i.value),invalidValueRef:void 0}):{}}function Jl({channel:e,markDef:t,encoding:n={},model:r,bandPosition:i}){let a=`${e}Offse\
t`,o=t[a],s=n[a];if((a==="xOffset"||a==="yOffset")&&s)return{offsetType:"encoding",offset:Z3({channel:a,channelDef:s,markDef:t,config:r?.config,scaleName:r.scaleName(
a),scale:r.getScaleComponent(a),stack:null,defaultRef:Ve(o),bandPosition:i})};let u=t[a];return u?{offsetType:"visual",offset:u}:{}}function Rn(e,t,{defaultPos:n,
vgChannel:r}){let{encoding:i,markDef:a,config:o,stack:s}=t,u=i[e],l=i[Yi(e)],c=t.scaleName(e),f=t.getScaleComponent(e),{offset:d,offsetType:h}=Jl({channel:e,markDef:a,
encoding:i,model:t,bandPosition:.5}),p=v5({model:t,defaultPos:n,channel:e,scaleName:c,scale:f}),g=!u&&wt(e)&&(i.latitude||i.longitude)?{field:t.getName(e)}:Sce(
{channel:e,channelDef:u,channel2Def:l,markDef:a,config:o,scaleName:c,scale:f,stack:s,offset:d,defaultRef:p,bandPosition:h==="encoding"?0:void 0});return g?{[r||
e]:g}:void 0}function Sce(e){let{channel:t,channelDef:n,scaleName:r,stack:i,offset:a,markDef:o}=e;if(he(n)&&i&&t===i.fieldChannel){if(U(n)){let s=n.bandPosition;
if(s===void 0&&o.type==="text"&&(t==="radius"||t==="theta")&&(s=.5),s!==void 0)return qm({scaleName:r,fieldOrDatumDef:n,startSuffix:"start",bandPosition:s,offset:a})}
return Js(n,r,{suffix:"end"},{offset:a})}return Q3(e)}function v5({model:e,defaultPos:t,channel:n,scaleName:r,scale:i}){let{markDef:a,config:o}=e;return()=>{let s=gu(
n),u=Uo(n),l=Re(n,a,o,{vgChannel:u});if(l!==void 0)return Bd(n,l);switch(t){case"zeroOrMin":return pT({scaleName:r,scale:i,mode:"zeroOrMin",mainChannel:s,config:o});case"\
zeroOrMax":return pT({scaleName:r,scale:i,mode:{zeroOrMax:{widthSignal:e.width.signal,heightSignal:e.height.signal}},mainChannel:s,config:o});case"mid":return{...e[Qn(
n)],mult:.5}}}}function pT({mainChannel:e,config:t,...n}){let r=UR(n),{mode:i}=n;if(r)return r;switch(e){case"radius":{if(i==="zeroOrMin")return{value:0};let{widthSignal:a,
heightSignal:o}=i.zeroOrMax;return{signal:`min(${a},${o})/2`}}case"theta":return i==="zeroOrMin"?{value:0}:{signal:"2*PI"};case"x":return i==="zeroOrMin"?{value:0}:
{field:{group:"width"}};case"y":return i==="zeroOrMin"?{field:{group:"height"}}:{value:0}}}var Cce={left:"x",center:"xc",right:"x2"},_ce={top:"y",middle:"yc",bottom:"\
y2"};function iN(e,t,n,r="middle"){if(e==="radius"||e==="theta")return Uo(e);let i=e==="x"?"align":"baseline",a=Re(i,t,n),o;return ne(a)?(j(Moe(i)),o=void 0):o=
a,e==="x"?Cce[o||(r==="top"?"left":"center")]:_ce[o||r]}function Vm(e,t,{defaultPos:n,defaultPos2:r,range:i}){return i?aN(e,t,{defaultPos:n,defaultPos2:r}):Rn(e,
t,{defaultPos:n})}function aN(e,t,{defaultPos:n,defaultPos2:r}){let{markDef:i,config:a}=t,o=Yi(e),s=Qn(e),u=kce(t,r,o),l=u[s]?iN(e,i,a):Uo(e);return{...Rn(e,t,{
defaultPos:n,vgChannel:l}),...u}}function kce(e,t,n){let{encoding:r,mark:i,markDef:a,stack:o,config:s}=e,u=gu(n),l=Qn(n),c=Uo(n),f=r[u],d=e.scaleName(u),h=e.getScaleComponent(
u),{offset:p}=n in r||n in a?Jl({channel:n,markDef:a,encoding:r,model:e}):Jl({channel:u,markDef:a,encoding:r,model:e});if(!f&&(n==="x2"||n==="y2")&&(r.latitude||
r.longitude)){let m=Qn(n),y=e.markDef[m];return y!=null?{[m]:{value:y}}:{[c]:{field:e.getName(n)}}}let g=Fce({channel:n,channelDef:f,channel2Def:r[n],markDef:a,
config:s,scaleName:d,scale:h,stack:o,offset:p,defaultRef:void 0});return g!==void 0?{[c]:g}:$m(n,a)||$m(n,{[n]:EE(n,a,s.style),[l]:EE(l,a,s.style)})||$m(n,s[i])||
$m(n,s.mark)||{[c]:v5({model:e,defaultPos:t,channel:n,scaleName:d,scale:h})()}}function Fce({channel:e,channelDef:t,channel2Def:n,markDef:r,config:i,scaleName:a,
scale:o,stack:s,offset:u,defaultRef:l}){return he(t)&&s&&e.charAt(0)===s.fieldChannel.charAt(0)?Js(t,a,{suffix:"start"},{offset:u}):Q3({channel:e,channelDef:n,scaleName:a,
scale:o,stack:s,markDef:r,config:i,offset:u,defaultRef:l})}function $m(e,t){let n=Qn(e),r=Uo(e);if(t[r]!==void 0)return{[r]:Bd(e,t[r])};if(t[e]!==void 0)return{
[r]:Bd(e,t[e])};if(t[n]){let i=t[n];if(su(i))j(Eoe(n));else return{[n]:Bd(e,i)}}}function Ia(e,t){let{config:n,encoding:r,markDef:i}=e,a=i.type,o=Yi(t),s=Qn(t),
u=r[t],l=r[o],c=e.getScaleComponent(t),f=c?c.get("type"):void 0,d=i.orient,h=r[s]??r.size??Re("size",i,n,{vgChannel:s}),p=QT(t),g=a==="bar"&&(t==="x"?d==="verti\
cal":d==="horizontal")||a==="tick"&&(t==="y"?d==="vertical":d==="horizontal");return U(u)&&(We(u.bin)||en(u.bin)||u.timeUnit&&!l)&&!(h&&!su(h))&&!r[p]&&!ft(f)?$ce(
{fieldDef:u,fieldDef2:l,channel:t,model:e}):(he(u)&&ft(f)||g)&&!l?Dce(u,t,e):aN(t,e,{defaultPos:"zeroOrMax",defaultPos2:"zeroOrMin"})}function Mce(e,t,n,r,i,a,o){
if(su(i))if(n){let u=n.get("type");if(u==="band"){let l=`bandwidth('${t}')`;i.band!==1&&(l=`${i.band} * ${l}`);let c=Ui("minBandSize",{type:o},r);return{signal:c?
`max(${ni(c)}, ${l})`:l}}else i.band!==1&&j(Roe(u))}else return{mult:i.band,field:{group:e}};else{if(ne(i))return i;if(i)return{value:i}}if(n){let u=n.get("rang\
e");if(yu(u)&&we(u.step))return{value:u.step-2}}if(!a){let{bandPaddingInner:u,barBandPaddingInner:l,rectBandPaddingInner:c,tickBandPaddingInner:f}=r.scale,d=Ct(
u,o==="tick"?f:o==="bar"?l:c);if(ne(d))return{signal:`(1 - (${d.signal})) * ${e}`};if(we(d))return{signal:`${1-d} * ${e}`}}return{value:DE(r.view,e)-2}}function Dce(e,t,n){
let{markDef:r,encoding:i,config:a,stack:o}=n,s=r.orient,u=n.scaleName(t),l=n.getScaleComponent(t),c=Qn(t),f=Yi(t),d=QT(t),h=n.scaleName(d),p=n.getScaleComponent(
E3(t)),g=r.type==="tick"||s==="horizontal"&&t==="y"||s==="vertical"&&t==="x",m;(i.size||r.size)&&(g?m=rn("size",n,{vgChannel:c,defaultRef:Ve(r.size)}):j(Poe(r.type)));
let y=!!m,b=XR({channel:t,fieldDef:e,markDef:r,config:a,scaleType:(l||p)?.get("type"),useVlSizeChannel:g});m=m||{[c]:Mce(c,h||u,p||l,a,b,!!e,r.type)};let x=(l||
p)?.get("type")==="band"&&su(b)&&!y?"top":"middle",v=iN(t,r,a,x),w=v==="xc"||v==="yc",{offset:E,offsetType:A}=Jl({channel:t,markDef:r,encoding:i,model:n,bandPosition:w?
.5:0}),C=(w&&A!=="encoding"&&U(e)&&e.timeUnit&&!i[f]?Ba({fieldDef:e,markDef:r,config:a}):void 0)??(w?A==="encoding"?0:.5:ne(b)?{signal:`(1-${b})/2`}:su(b)?(1-b.
band)/2:0),_=Q3({channel:t,channelDef:e,markDef:r,config:a,scaleName:u,scale:l,stack:o,offset:E,defaultRef:v5({model:n,defaultPos:"mid",channel:t,scaleName:u,scale:l}),
bandPosition:C});if(c)return{[v]:_,...m};{let k=Uo(f),M=m[c],$=E?{...M,offset:E}:M;return{[v]:_,[k]:R(_)?[_[0],{..._[1],offset:$}]:{..._,offset:$}}}}function gT(e,t,n,r,i,a,o){
if(GT(e))return 0;let s=e==="x"||e==="y2",u=s?-t/2:t/2;if(ne(n)||ne(i)||ne(r)||a){let l=ni(n),c=ni(i),f=ni(r),d=ni(a),p=a?`(${o} < ${d} ? ${s?"":"-"}0.5 * (${d}\
 - (${o})) : ${u})`:u,g=f?`${f} + `:"",m=l?`(${l} ? -1 : 1) * `:"",y=c?`(${c} + ${p})`:p;return{signal:g+m+y}}else return i=i||0,r+(n?-i-u:+i+u)}function $ce({fieldDef:e,
fieldDef2:t,channel:n,model:r}){let{config:i,markDef:a,encoding:o}=r,s=r.getScaleComponent(n),u=r.scaleName(n),l=s?s.get("type"):void 0,c=s.get("reverse"),f=XR(
{channel:n,fieldDef:e,markDef:a,config:i,scaleType:l}),h=r.component.axes[n]?.[0]?.get("translate")??.5,p=wt(n)?Re("binSpacing",a,i)??0:0,g=Yi(n),m=Uo(n),y=Uo(g),
b=Ui("minBandSize",a,i),{offset:x}=Jl({channel:n,markDef:a,encoding:o,model:r,bandPosition:0}),{offset:v}=Jl({channel:g,markDef:a,encoding:o,model:r,bandPosition:0}),
w=oue({fieldDef:e,scaleName:u}),E=gT(n,p,c,h,x,b,w),A=gT(g,p,c,h,v??x,b,w),S=ne(f)?{signal:`(1-${f.signal})/2`}:su(f)?(1-f.band)/2:.5,C=Ba({fieldDef:e,fieldDef2:t,
markDef:a,config:i});if(We(e.bin)||e.timeUnit){let _=e.timeUnit&&C!==.5;return{[y]:mT({fieldDef:e,scaleName:u,bandPosition:S,offset:A,useRectOffsetField:_}),[m]:mT(
{fieldDef:e,scaleName:u,bandPosition:ne(S)?{signal:`1-${S.signal}`}:1-S,offset:E,useRectOffsetField:_})}}else if(en(e.bin)){let _=Js(e,u,{},{offset:A});if(U(t))
return{[y]:_,[m]:Js(t,u,{},{offset:E})};if(mu(e.bin)&&e.bin.step)return{[y]:_,[m]:{signal:`scale("${u}", ${K(e,{expr:"datum"})} + ${e.bin.step})`,offset:E}}}j(yR(
g))}function mT({fieldDef:e,scaleName:t,bandPosition:n,offset:r,useRectOffsetField:i}){return qm({scaleName:t,fieldOrDatumDef:e,bandPosition:n,offset:r,...i?{startSuffix:z1,
endSuffix:L1}:{}})}var Tce=new Set(["aria","width","height"]);function Nr(e,t){let{fill:n=void 0,stroke:r=void 0}=t.color==="include"?rN(e):{};return{...Rce(e.markDef,
t),...yT("fill",n),...yT("stroke",r),...rn("opacity",e),...rn("fillOpacity",e),...rn("strokeOpacity",e),...rn("strokeWidth",e),...rn("strokeDash",e),...Ece(e),...eN(
e),...b5(e,"href"),...vce(e)}}function yT(e,t){return t?{[e]:t}:{}}function Rce(e,t){return Hae.reduce((n,r)=>(!Tce.has(r)&&W(e,r)&&t[r]!=="ignore"&&(n[r]=Ve(e[r])),
n),{})}function w5(e){let{config:t,markDef:n}=e,r=new Set;if(e.forEachFieldDef((i,a)=>{let o;if(!Vi(a)||!(o=e.getScaleType(a)))return;let s=w1(i.aggregate),u=K3(
{scaleChannel:a,markDef:n,config:t,scaleType:o,isCountAggregate:s});if(rue(u)){let l=e.vgField(a,{expr:"datum",binSuffix:e.stack?.impute?"mid":void 0});l&&r.add(
l)}}),r.size>0)return{defined:{signal:[...r].map(a=>C1(a,!0)).join(" && ")}}}function bT(e,t){if(t!==void 0)return{[e]:Ve(t)}}var mE="voronoi",oN={defined:e=>e.
type==="point"&&e.nearest,parse:(e,t)=>{if(t.events)for(let n of t.events)n.markname=e.getName(mE)},marks:(e,t,n)=>{let{x:r,y:i}=t.project.hasChannel,a=e.mark;if(Jo(
a))return j(Jae(a)),n;let o={name:e.getName(mE),type:"path",interactive:!0,aria:!1,from:{data:e.getName("marks")},encode:{update:{fill:{value:"transparent"},strokeWidth:{
value:.35},stroke:{value:"transparent"},isVoronoi:{value:!0},...eN(e,{reactiveGeom:!0})}},transform:[{type:"voronoi",x:{expr:r||!i?"datum.datum.x || 0":"0"},y:{
expr:i||!r?"datum.datum.y || 0":"0"},size:[e.getSizeSignalRef("width"),e.getSizeSignalRef("height")]}]},s=0,u=!1;return n.forEach((l,c)=>{let f=l.name??"";f===e.
component.mark[0].name?s=c:f.includes(mE)&&(u=!0)}),u||n.splice(s+1,0,o),n}},sN={defined:e=>e.type==="point"&&e.resolve==="global"&&e.bind&&e.bind!=="scales"&&!f5(
e.bind),parse:(e,t,n)=>gN(t,n),topLevelSignals:(e,t,n)=>{let r=t.name,i=t.project,a=t.bind,o=t.init?.[0],s=oN.defined(t)?"(item().isVoronoi ? datum.datum : datu\
m)":"datum";return i.items.forEach((u,l)=>{let c=rt(`${r}_${u.field}`);n.filter(d=>d.name===c).length||n.unshift({name:c,...o?{init:lu(o[l])}:{value:null},on:t.
events?[{events:t.events,update:`datum && item().mark.marktype !== 'group' ? ${s}[${I(u.field)}] : null`}]:[],bind:a[u.field]??a[u.channel]??a})}),n},signals:(e,t,n)=>{
let r=t.name,i=t.project,a=n.find(l=>l.name===r+za),o=r+dh,s=i.items.map(l=>rt(`${r}_${l.field}`)),u=s.map(l=>`${l} !== null`).join(" && ");return s.length&&(a.
update=`${u} ? {fields: ${o}, values: [${s.join(", ")}]} : null`),delete a.value,delete a.on,n}},Xm="_toggle",uN={defined:e=>e.type==="point"&&!Li(e)&&!!e.toggle,
signals:(e,t,n)=>n.concat({name:t.name+Xm,value:!1,on:[{events:t.events,update:t.toggle}]}),modifyExpr:(e,t)=>{let n=t.name+za,r=t.name+Xm;return`${r} ? null : ${n}\
, ${t.resolve==="global"?`${r} ? null : true, `:`${r} ? null : {unit: ${tu(e)}}, `}${r} ? ${n} : null`}},Oce={defined:e=>e.clear!==void 0&&e.clear!==!1&&!Li(e),
parse:(e,t)=>{t.clear&&(t.clear=X(t.clear)?Ni(t.clear,"view"):t.clear)},topLevelSignals:(e,t,n)=>{if(sN.defined(t))for(let r of t.project.items){let i=n.findIndex(
a=>a.name===rt(`${t.name}_${r.field}`));i!==-1&&n[i].on.push({events:t.clear,update:"null"})}return n},signals:(e,t,n)=>{function r(i,a){i!==-1&&n[i].on&&n[i].on.
push({events:t.clear,update:a})}if(t.type==="interval")for(let i of t.project.items){let a=n.findIndex(o=>o.name===i.signals.visual);if(r(a,"[0, 0]"),a===-1){let o=n.
findIndex(s=>s.name===i.signals.data);r(o,"null")}}else{let i=n.findIndex(a=>a.name===t.name+za);r(i,"null"),uN.defined(t)&&(i=n.findIndex(a=>a.name===t.name+Xm),
r(i,"false"))}return n}},lN={defined:e=>{let t=e.resolve==="global"&&e.bind&&f5(e.bind),n=e.project.items.length===1&&e.project.items[0].field!==ui;return t&&!n&&
j(roe),t&&n},parse:(e,t,n)=>{let r=de(n);if(r.select=X(r.select)?{type:r.select,toggle:t.toggle}:{...r.select,toggle:t.toggle},gN(t,r),V(n.select)&&(n.select.on||
n.select.clear)){let o='event.item && indexof(event.item.mark.role, "legend") < 0';for(let s of t.events)s.filter=H(s.filter??[]),s.filter.includes(o)||s.filter.
push(o)}let i=cE(t.bind)?t.bind.legend:"click",a=X(i)?Ni(i,"view"):H(i);t.bind={legend:{merge:a}}},topLevelSignals:(e,t,n)=>{let r=t.name,i=cE(t.bind)&&t.bind.legend,
a=o=>s=>{let u=de(s);return u.markname=o,u};for(let o of t.project.items){if(!o.hasLegend)continue;let s=`${rt(o.field)}_legend`,u=`${r}_${s}`;if(n.filter(c=>c.
name===u).length===0){let c=i.merge.map(a(`${s}_symbols`)).concat(i.merge.map(a(`${s}_labels`))).concat(i.merge.map(a(`${s}_entries`)));n.unshift({name:u,...t.init?
{}:{value:null},on:[{events:c,update:"isDefined(datum.value) ? datum.value : item().items[0].items[0].datum.value",force:!0},{events:i.merge,update:`!event.item\
 || !datum ? null : ${u}`,force:!0}]})}}return n},signals:(e,t,n)=>{let r=t.name,i=t.project,a=n.find(d=>d.name===r+za),o=r+dh,s=i.items.filter(d=>d.hasLegend).
map(d=>rt(`${r}_${rt(d.field)}_legend`)),l=`${s.map(d=>`${d} !== null`).join(" && ")} ? {fields: ${o}, values: [${s.join(", ")}]} : null`;t.events&&s.length>0?a.
on.push({events:s.map(d=>({signal:d})),update:l}):s.length>0&&(a.update=l,delete a.value,delete a.on);let c=n.find(d=>d.name===r+Xm),f=cE(t.bind)&&t.bind.legend;
return c&&(t.events?c.on.push({...c.on[0],events:f}):c.on[0].events=f),n}};function Nce(e,t,n){let r=e.fieldDef(t)?.field;for(let i of $t(e.component.selection??
{})){let a=i.project.hasField[r]??i.project.hasChannel[t];if(a&&lN.defined(i)){let o=n.get("selections")??[];o.push(i.name),n.set("selections",o,!1),a.hasLegend=
!0}}}var cN="_translate_anchor",fN="_translate_delta",Bce={defined:e=>e.type==="interval"&&e.translate,signals:(e,t,n)=>{let r=t.name,i=Ra.defined(t),a=r+cN,{x:o,
y:s}=t.project.hasChannel,u=Ni(t.translate,"scope");return i||(u=u.map(l=>(l.between[0].markname=r+ql,l))),n.push({name:a,value:{},on:[{events:u.map(l=>l.between[0]),
update:`{x: x(unit), y: y(unit)${o!==void 0?`, extent_x: ${i?LE(e,Xe):`slice(${o.signals.visual})`}`:""}${s!==void 0?`, extent_y: ${i?LE(e,Tt):`slice(${s.signals.
visual})`}`:""}}`}]},{name:r+fN,value:{},on:[{events:u,update:`{x: ${a}.x - x(unit), y: ${a}.y - y(unit)}`}]}),o!==void 0&&xT(e,t,o,"width",n),s!==void 0&&xT(e,
t,s,"height",n),n}};function xT(e,t,n,r,i){let a=t.name,o=a+cN,s=a+fN,u=n.channel,l=Ra.defined(t),c=i.find(w=>w.name===n.signals[l?"data":"visual"]),f=e.getSizeSignalRef(
r).signal,d=e.getScaleComponent(u),h=d?.get("type"),p=d?.get("reverse"),g=l?u===Xe?p?"":"-":p?"-":"":"",m=`${o}.extent_${u}`,y=`${g}${s}.${u} / ${l?`${f}`:`span\
(${m})`}`,b=!l||!d?"panLinear":h==="log"?"panLog":h==="symlog"?"panSymlog":h==="pow"?"panPow":"panLinear",x=l?h==="pow"?`, ${d.get("exponent")??1}`:h==="symlog"?
`, ${d.get("constant")??1}`:"":"",v=`${b}(${m}, ${y}${x})`;c.on.push({events:{signal:s},update:l?v:`clampRange(${v}, 0, ${f})`})}var dN="_zoom_anchor",hN="_zoom\
_delta",Pce={defined:e=>e.type==="interval"&&e.zoom,signals:(e,t,n)=>{let r=t.name,i=Ra.defined(t),a=r+hN,{x:o,y:s}=t.project.hasChannel,u=I(e.scaleName(Xe)),l=I(
e.scaleName(Tt)),c=Ni(t.zoom,"scope");return i||(c=c.map(f=>(f.markname=r+ql,f))),n.push({name:r+dN,on:[{events:c,update:i?`{${[u?`x: invert(${u}, x(unit))`:"",
l?`y: invert(${l}, y(unit))`:""].filter(f=>f).join(", ")}}`:"{x: x(unit), y: y(unit)}"}]},{name:a,on:[{events:c,force:!0,update:"pow(1.001, event.deltaY * pow(1\
6, event.deltaMode))"}]}),o!==void 0&&vT(e,t,o,"width",n),s!==void 0&&vT(e,t,s,"height",n),n}};function vT(e,t,n,r,i){let a=t.name,o=n.channel,s=Ra.defined(t),u=i.
find(b=>b.name===n.signals[s?"data":"visual"]),l=e.getSizeSignalRef(r).signal,c=e.getScaleComponent(o),f=c?.get("type"),d=s?LE(e,o):u.name,h=a+hN,p=`${a}${dN}.${o}`,
g=!s||!c?"zoomLinear":f==="log"?"zoomLog":f==="symlog"?"zoomSymlog":f==="pow"?"zoomPow":"zoomLinear",m=s?f==="pow"?`, ${c.get("exponent")??1}`:f==="symlog"?`, ${c.
get("constant")??1}`:"":"",y=`${g}(${d}, ${p}, ${h}${m})`;u.on.push({events:{signal:h},update:s?y:`clampRange(${y}, 0, ${l})`})}var cu="_store",za="_tuple",Ice="\
_modify",pN="vlSelectionResolve",U1=[cce,bce,sce,uN,sN,Ra,lN,Oce,Bce,Pce,oN];function zce(e){let t=e.parent;for(;t&&!pr(t);)t=t.parent;return t}function tu(e,{escape:t}={
escape:!0}){let n=t?I(e.name):e.name,r=zce(e);if(r){let{facet:i}=r;for(let a of $r)i[a]&&(n+=` + '__facet_${a}_' + (facet[${I(r.vgField(a))}])`)}return n}function A5(e){
return $t(e.component.selection??{}).reduce((t,n)=>t||n.project.hasSelectionId,!1)}function gN(e,t){(X(t.select)||!t.select.on)&&delete e.events,(X(t.select)||!t.
select.clear)&&delete e.clear,(X(t.select)||!t.select.toggle)&&delete e.toggle}function Li(e){return e.events?.find(t=>"type"in t&&t.type==="timer")}function qE(e){
let t=[];return e.type==="Identifier"?[e.name]:e.type==="Literal"?[e.value]:(e.type==="MemberExpression"&&(t.push(...qE(e.object)),t.push(...qE(e.property))),t)}
function mN(e){return e.object.type==="MemberExpression"?mN(e.object):e.object.name==="datum"}function yN(e){let t=_$(e),n=new Set;return t.visit(r=>{r.type==="\
MemberExpression"&&mN(r)&&n.add(qE(r).slice(1).join("."))}),n}var ec=class e extends $e{model;filter;expr;_dependentFields;clone(){return new e(null,this.model,
de(this.filter))}constructor(t,n,r){super(t),this.model=n,this.filter=r,this.expr=Km(this.model,this.filter,this),this._dependentFields=yN(this.expr)}dependentFields(){
return this._dependentFields}producedFields(){return new Set}assemble(){return{type:"filter",expr:this.expr}}hash(){return`Filter ${this.expr}`}};function Lce(e,t){
let n={},r=e.config.selection;if(!t||!t.length)return n;let i=0;for(let a of t){let o=rt(a.name),s=a.select,u=X(s)?s:s.type,l=V(s)?de(s):{type:u},c=r[u];for(let h in c)
h==="fields"||h==="encodings"||(h==="mark"&&(l.mark={...c.mark,...l.mark}),(l[h]===void 0||l[h]===!0)&&(l[h]=de(c[h]??l[h])));let f=n[o]={...l,name:o,type:u,init:a.
value,bind:a.bind,events:X(l.on)?Ni(l.on,"scope"):H(de(l.on))};if(Li(f)&&(i++,i>1)){delete n[o];continue}let d=de(a);for(let h of U1)h.defined(f)&&h.parse&&h.parse(
e,f,d)}return i>1&&j(loe),n}function bN(e,t,n,r="datum"){let i=X(t)?t:t.param,a=rt(i),o=I(a+cu),s;try{s=e.getSelectionComponent(a,i)}catch{return`!!${a}`}if(s.project.
timeUnit){let d=n??e.component.data.raw,h=s.project.timeUnit.clone();d.parent?h.insertAsParentOf(d):d.parent=h}let u=s.project.hasSelectionId?"vlSelectionIdTest\
(":"vlSelectionTest(",l=s.resolve==="global"?")":`, ${I(s.resolve)})`,c=`${u}${o}, ${r}${l}`,f=`length(data(${o}))`;return t.empty===!1?`${f} && ${c}`:`!${f} ||\
 ${c}`}function xN(e,t,n){let r=rt(t),i=n.encoding,a=n.field,o;try{o=e.getSelectionComponent(r,t)}catch{return r}if(!i&&!a)a=o.project.items[0].field,o.project.
items.length>1&&j(coe(a));else if(i&&!a){let s=o.project.items.filter(u=>u.channel===i);!s.length||s.length>1?(a=o.project.items[0].field,j(foe(s,i,n,a))):a=s[0].
field}return`${o.name}[${I(ii(a))}]`}function Uce(e,t){for(let[n,r]of nu(e.component.selection??{})){let i=e.getName(`lookup_${n}`);e.component.data.outputNodes[i]=
r.materialized=new bn(new ec(t,e,{param:n}),i,it.Lookup,e.component.data.outputNodeRefCounts)}}function Km(e,t,n){return Pm(t,r=>X(r)?r:wse(r)?bN(e,r,n):MR(r))}
function qce(e,t){if(e)return R(e)&&!Io(e)?e.map(n=>r5(n,t)).join(", "):e}function yE(e,t,n,r){e.encode??={},e.encode[t]??={},e.encode[t].update??={},e.encode[t].
update[n]=r}function Nd(e,t,n,r={header:!1}){let{disable:i,orient:a,scale:o,labelExpr:s,title:u,zindex:l,...c}=e.combine();if(!i){for(let f in c){let d=f,h=Cue[d],
p=c[d];if(h&&h!==t&&h!=="both")delete c[d];else if(fh(p)){let{condition:g,...m}=p,y=H(g),b=V$[d];if(b){let{vgProp:x,part:v}=b,w=[...y.map(E=>{let{test:A,...S}=E;
return{test:Km(null,A),...S}}),m];yE(c,v,x,w),delete c[d]}else if(b===null){let x={signal:y.map(v=>{let{test:w,...E}=v;return`${Km(null,w)} ? ${T$(E)} : `}).join(
"")+T$(m)};c[d]=x}}else if(ne(p)){let g=V$[d];if(g){let{vgProp:m,part:y}=g;yE(c,y,m,p),delete c[d]}}Ee(["labelAlign","labelBaseline"],d)&&c[d]===null&&delete c[d]}
if(t==="grid"){if(!c.grid)return;if(c.encode){let{grid:f}=c.encode;c.encode={...f?{grid:f}:{}},je(c.encode)&&delete c.encode}return{scale:o,orient:a,...c,domain:!1,
labels:!1,aria:!1,maxExtent:0,minExtent:0,ticks:!1,zindex:Ct(l,0)}}else{if(!r.header&&e.mainExtracted)return;if(s!==void 0){let d=s;c.encode?.labels?.update&&ne(
c.encode.labels.update.text)&&(d=jl(s,"datum.label",c.encode.labels.update.text.signal)),yE(c,"labels","text",{signal:d})}if(c.labelAlign===null&&delete c.labelAlign,
c.encode){for(let d of aO)e.hasAxisPart(d)||delete c.encode[d];je(c.encode)&&delete c.encode}let f=qce(u,n);return{scale:o,orient:a,grid:!1,...f?{title:f}:{},...c,
...n.aria===!1?{aria:!1}:{},zindex:Ct(l,0)}}}}function vN(e){let{axes:t}=e.component,n=[];for(let r of Ya)if(t[r]){for(let i of t[r])if(!i.get("disable")&&!i.get(
"gridScale")){let a=r==="x"?"height":"width",o=e.getSizeSignalRef(a).signal;a!==o&&n.push({name:a,update:o})}}return n}function jce(e,t){let{x:n=[],y:r=[]}=e;return[
...n.map(i=>Nd(i,"grid",t)),...r.map(i=>Nd(i,"grid",t)),...n.map(i=>Nd(i,"main",t)),...r.map(i=>Nd(i,"main",t))].filter(i=>i)}function wT(e,t,n,r){return Object.
assign.apply(null,[{},...e.map(i=>{if(i==="axisOrient"){let a=n==="x"?"bottom":"left",o=t[n==="x"?"axisBottom":"axisLeft"]||{},s=t[n==="x"?"axisTop":"axisRight"]||
{},u=new Set([...q(o),...q(s)]),l={};for(let c of u.values())l[c]={signal:`${r.signal} === "${a}" ? ${ni(o[c])} : ${ni(s[c])}`};return l}return t[i]})])}function Wce(e,t,n,r){
let i=t==="band"?["axisDiscrete","axisBand"]:t==="point"?["axisDiscrete","axisPoint"]:TR(t)?["axisQuantitative"]:t==="time"||t==="utc"?["axisTemporal"]:[],a=e===
"x"?"axisX":"axisY",o=ne(n)?"axisOrient":`axis${p1(n)}`,s=[...i,...i.map(l=>a+l.substr(4))],u=["axis",o,a];return{vlOnlyAxisConfig:wT(s,r,e,n),vgAxisConfig:wT(u,
r,e,n),axisConfigStyle:Gce([...u,...s],r)}}function Gce(e,t){let n=[{}];for(let r of e){let i=t[r]?.style;if(i){i=H(i);for(let a of i)n.push(t.style[a])}}return Object.
assign.apply(null,n)}function jE(e,t,n,r={}){let i=sR(e,n,t);if(i!==void 0)return{configFrom:"style",configValue:i};for(let a of["vlOnlyAxisConfig","vgAxisConfi\
g","axisConfigStyle"])if(r[a]?.[e]!==void 0)return{configFrom:a,configValue:r[a][e]};return{}}var AT={scale:({model:e,channel:t})=>e.scaleName(t),format:({format:e})=>e,
formatType:({formatType:e})=>e,grid:({fieldOrDatumDef:e,axis:t,scaleType:n})=>t.grid??Hce(n,e),gridScale:({model:e,channel:t})=>Yce(e,t),labelAlign:({axis:e,labelAngle:t,
orient:n,channel:r})=>e.labelAlign||AN(t,n,r),labelAngle:({labelAngle:e})=>e,labelBaseline:({axis:e,labelAngle:t,orient:n,channel:r})=>e.labelBaseline||wN(t,n,r),
labelFlush:({axis:e,fieldOrDatumDef:t,channel:n})=>e.labelFlush??Xce(t.type,n),labelOverlap:({axis:e,fieldOrDatumDef:t,scaleType:n})=>e.labelOverlap??Kce(t.type,
n,U(t)&&!!t.timeUnit,U(t)?t.sort:void 0),orient:({orient:e})=>e,tickCount:({channel:e,model:t,axis:n,fieldOrDatumDef:r,scaleType:i})=>{let a=e==="x"?"width":e===
"y"?"height":void 0,o=a?t.getSizeSignalRef(a):void 0;return n.tickCount??Zce({fieldOrDatumDef:r,scaleType:i,size:o,values:n.values})},tickMinStep:({axis:e,format:t,
fieldOrDatumDef:n})=>e.tickMinStep??Jce({format:t,fieldOrDatumDef:n}),title:({axis:e,model:t,channel:n})=>{if(e.title!==void 0)return e.title;let r=EN(t,n);if(r!==
void 0)return r;let i=t.typedFieldDef(n),a=n==="x"?"x2":"y2",o=t.fieldDef(a);return lR(i?[H$(i)]:[],U(o)?[H$(o)]:[])},values:({axis:e,fieldOrDatumDef:t})=>efe(e,
t),zindex:({axis:e,fieldOrDatumDef:t,mark:n})=>e.zindex??tfe(n,t)};function Hce(e,t){return!ft(e)&&U(t)&&!We(t?.bin)&&!en(t?.bin)}function Yce(e,t){let n=t==="x"?
"y":"x";if(e.getScaleComponent(n))return e.scaleName(n)}function Vce(e,t,n,r,i){let a=t?.labelAngle;if(a!==void 0)return ne(a)?a:zm(a);{let{configValue:o}=jE("l\
abelAngle",r,t?.style,i);return o!==void 0?zm(o):n===Xe&&Ee([G3,W3],e.type)&&!(U(e)&&e.timeUnit)?270:void 0}}function WE(e){return`(((${e.signal} % 360) + 360) \
% 360)`}function wN(e,t,n,r){if(e!==void 0)if(n==="x"){if(ne(e)){let i=WE(e),a=ne(t)?`(${t.signal} === "top")`:t==="top";return{signal:`(45 < ${i} && ${i} < 135\
) || (225 < ${i} && ${i} < 315) ? "middle" :(${i} <= 45 || 315 <= ${i}) === ${a} ? "bottom" : "top"`}}if(45<e&&e<135||225<e&&e<315)return"middle";if(ne(t)){let i=e<=
45||315<=e?"===":"!==";return{signal:`${t.signal} ${i} "top" ? "bottom" : "top"`}}return(e<=45||315<=e)==(t==="top")?"bottom":"top"}else{if(ne(e)){let i=WE(e),a=ne(
t)?`(${t.signal} === "left")`:t==="left";return{signal:`${i} <= 45 || 315 <= ${i} || (135 <= ${i} && ${i} <= 225) ? ${r?'"middle"':"null"} : (45 <= ${i} && ${i}\
 <= 135) === ${a} ? "top" : "bottom"`}}if(e<=45||315<=e||135<=e&&e<=225)return r?"middle":null;if(ne(t)){let i=45<=e&&e<=135?"===":"!==";return{signal:`${t.signal}\
 ${i} "left" ? "top" : "bottom"`}}return(45<=e&&e<=135)==(t==="left")?"top":"bottom"}}function AN(e,t,n){if(e===void 0)return;let r=n==="x",i=r?0:90,a=r?"bottom":
"left";if(ne(e)){let o=WE(e),s=ne(t)?`(${t.signal} === "${a}")`:t===a;return{signal:`(${i?`(${o} + 90)`:o} % 180 === 0) ? ${r?null:'"center"'} :(${i} < ${o} && ${o}\
 < ${180+i}) === ${s} ? "left" : "right"`}}if((e+i)%180===0)return r?null:"center";if(ne(t)){let o=i<e&&e<180+i?"===":"!==";return{signal:`${`${t.signal} ${o} "${a}\
"`} ? "left" : "right"`}}return(i<e&&e<180+i)==(t===a)?"left":"right"}function Xce(e,t){if(t==="x"&&Ee(["quantitative","temporal"],e))return!0}function Kce(e,t,n,r){
if(n&&!V(r)||e!=="nominal"&&e!=="ordinal")return t==="log"||t==="symlog"?"greedy":!0}function Qce(e){return e==="x"?"bottom":"left"}function Zce({fieldOrDatumDef:e,
scaleType:t,size:n,values:r}){if(!r&&!ft(t)&&t!=="log"){if(U(e)){if(We(e.bin))return{signal:`ceil(${n.signal}/10)`};if(e.timeUnit&&Ee(["month","hours","day","qu\
arter"],Gt(e.timeUnit)?.unit))return}return{signal:`ceil(${n.signal}/40)`}}}function Jce({format:e,fieldOrDatumDef:t}){if(e==="d")return 1;if(U(t)){let{timeUnit:n}=t;
if(n){let r=_R(n);if(r)return{signal:r}}}}function EN(e,t){let n=t==="x"?"x2":"y2",r=e.fieldDef(t),i=e.fieldDef(n),a=r?r.title:void 0,o=i?i.title:void 0;if(a&&o)
return cR(a,o);if(a)return a;if(o)return o;if(a!==void 0)return a;if(o!==void 0)return o}function efe(e,t){let n=e.values;if(R(n))return iO(t,n);if(ne(n))return n}
function tfe(e,t){return e==="rect"&&Wm(t)?1:0}var Hd=class e extends $e{transform;_dependentFields;clone(){return new e(null,de(this.transform))}constructor(t,n){
super(t),this.transform=n,this._dependentFields=yN(this.transform.calculate)}static parseAllForSortIndex(t,n){return n.forEachFieldDef((r,i)=>{if(vu(r)&&VR(r.sort)){
let{field:a,timeUnit:o}=r,s=r.sort,u=s.map((l,c)=>`${MR({field:a,timeUnit:o,equal:l})} ? ${c} : `).join("")+s.length;t=new e(t,{calculate:u,as:tc(r,i,{forAs:!0})})}}),
t}producedFields(){return new Set([this.transform.as])}dependentFields(){return this._dependentFields}assemble(){return{type:"formula",expr:this.transform.calculate,
as:this.transform.as}}hash(){return`Calculate ${ye(this.transform)}`}};function tc(e,t,n){return K(e,{prefix:t,suffix:"sort_index",...n})}function q1(e,t){return Ee(
["top","bottom"],t)?"column":Ee(["left","right"],t)||e==="row"?"row":"column"}function nc(e,t,n,r){let i=r==="row"?n.headerRow:r==="column"?n.headerColumn:n.headerFacet;
return Ct((t||{})[e],i[e],n.header[e])}function j1(e,t,n,r){let i={};for(let a of e){let o=nc(a,t||{},n,r);o!==void 0&&(i[a]=o)}return i}var E5=["row","column"],
S5=["header","footer"];function nfe(e,t){let n=e.component.layoutHeaders[t].title,r=e.config?e.config:void 0,i=e.component.layoutHeaders[t].facetFieldDef?e.component.
layoutHeaders[t].facetFieldDef:void 0,{titleAnchor:a,titleAngle:o,titleOrient:s}=j1(["titleAnchor","titleAngle","titleOrient"],i.header,r,t),u=q1(t,s),l=zm(o);return{
name:`${t}-title`,type:"group",role:`${u}-title`,title:{text:n,...t==="row"?{orient:"left"}:{},style:"guide-title",...CN(l,u),...SN(u,l,a),..._N(r,i,t,Yue,EO)}}}
function SN(e,t,n="middle"){switch(n){case"start":return{align:"left"};case"end":return{align:"right"}}let r=AN(t,e==="row"?"left":"top",e==="row"?"y":"x");return r?
{align:r}:{}}function CN(e,t){let n=wN(e,t==="row"?"left":"top",t==="row"?"y":"x",!0);return n?{baseline:n}:{}}function rfe(e,t){let n=e.component.layoutHeaders[t],
r=[];for(let i of S5)if(n[i])for(let a of n[i]){let o=afe(e,t,i,n,a);o!=null&&r.push(o)}return r}function ife(e,t){let{sort:n}=e;return Ta(n)?{field:K(n,{expr:"\
datum"}),order:n.order??"ascending"}:R(n)?{field:tc(e,t,{expr:"datum"}),order:"ascending"}:{field:K(e,{expr:"datum"}),order:n??"ascending"}}function GE(e,t,n){let{
format:r,formatType:i,labelAngle:a,labelAnchor:o,labelOrient:s,labelExpr:u}=j1(["format","formatType","labelAngle","labelAnchor","labelOrient","labelExpr"],e.header,
n,t),l=J3({fieldOrDatumDef:e,format:r,formatType:i,expr:"parent",config:n}).signal,c=q1(t,s);return{text:{signal:u?jl(jl(u,"datum.label",l),"datum.value",K(e,{expr:"\
parent"})):l},...t==="row"?{orient:"left"}:{},style:"guide-label",frame:"group",...CN(a,c),...SN(c,a,o),..._N(n,e,t,Vue,SO)}}function afe(e,t,n,r,i){if(i){let a=null,
{facetFieldDef:o}=r,s=e.config?e.config:void 0;if(o&&i.labels){let{labelOrient:f}=j1(["labelOrient"],o.header,s,t);(t==="row"&&!Ee(["top","bottom"],f)||t==="col\
umn"&&!Ee(["left","right"],f))&&(a=GE(o,t,s))}let u=pr(e)&&!sh(e.facet),l=i.axes,c=l?.length>0;if(a||c){let f=t==="row"?"height":"width";return{name:e.getName(`${t}\
_${n}`),type:"group",role:`${t}-${n}`,...r.facetFieldDef?{from:{data:e.getName(`${t}_domain`)},sort:ife(o,t)}:{},...c&&u?{from:{data:e.getName(`facet_domain_${t}`)}}:
{},...a?{title:a}:{},...i.sizeSignal?{encode:{update:{[f]:i.sizeSignal}}}:{},...c?{axes:l}:{}}}}return null}var ofe={column:{start:0,end:1},row:{start:1,end:0}};
function sfe(e,t){return ofe[t][e]}function ufe(e,t){let n={};for(let r of $r){let i=e[r];if(i?.facetFieldDef){let{titleAnchor:a,titleOrient:o}=j1(["titleAnchor",
"titleOrient"],i.facetFieldDef.header,t,r),s=q1(r,o),u=sfe(a,s);u!==void 0&&(n[s]=u)}}return je(n)?void 0:n}function _N(e,t,n,r,i){let a={};for(let o of r){if(!i[o])
continue;let s=nc(o,t?.header,e,n);s!==void 0&&(a[i[o]]=s)}return a}function C5(e){return[...Tm(e,"width"),...Tm(e,"height"),...Tm(e,"childWidth"),...Tm(e,"chil\
dHeight")]}function Tm(e,t){let n=t==="width"?"x":"y",r=e.component.layoutSize.get(t);if(r==null||r==="merged")return[];let i=e.getSizeSignalRef(t).signal;if(r===
"step"){let a=e.getScaleComponent(n);if(a){let o=a.get("type"),s=a.get("range");if(ft(o)&&yu(s)){let u=e.scaleName(n);return pr(e.parent)&&e.parent.component.resolve.
scale[n]==="independent"?[ET(u,s)]:[ET(u,s),{name:i,update:kN(u,a,`domain('${u}').length`)}]}}throw new Error("layout size is step although width/height is not \
step.")}else if(r=="container"){let a=i.endsWith("width"),o=a?"containerSize()[0]":"containerSize()[1]",s=ME(e.config.view,a?"width":"height"),u=`isFinite(${o})\
 ? ${o} : ${s}`;return[{name:i,init:u,on:[{update:u,events:"window:resize"}]}]}else return[{name:i,value:r}]}function ET(e,t){let n=`${e}_step`;return ne(t.step)?
{name:n,update:t.step.signal}:{name:n,value:t.step}}function kN(e,t,n){let r=t.get("type"),i=t.get("padding"),a=Ct(t.get("paddingOuter"),i),o=t.get("paddingInne\
r");return o=r==="band"?o!==void 0?o:i:1,`bandspace(${n}, ${ni(o)}, ${ni(a)}) * ${e}_step`}function FN(e){return e==="childWidth"?"width":e==="childHeight"?"hei\
ght":e}function MN(e,t){return q(e).reduce((n,r)=>({...n,...oc({model:t,channelDef:e[r],vgChannel:r,mainRefFn:i=>Ve(i.value),invalidValueRef:void 0})}),{})}function DN(e,t){
if(pr(t))return e==="theta"?"independent":"shared";if(sc(t))return"shared";if(D5(t))return wt(e)||e==="theta"||e==="radius"?"independent":"shared";throw new Error(
"invalid model type for resolve")}function _5(e,t){let n=e.scale[t],r=wt(t)?"axis":"legend";return n==="independent"?(e[r][t]==="shared"&&j(qoe(t)),"independent"):
e[r][t]||"shared"}var lfe={...Que,disable:1,labelExpr:1,selections:1,opacity:1,shape:1,stroke:1,fill:1,size:1,strokeWidth:1,strokeDash:1,encode:1},$N=q(lfe),HE=class extends Pa{},
ST={symbols:cfe,gradient:ffe,labels:dfe,entries:hfe};function cfe(e,{fieldOrDatumDef:t,model:n,channel:r,legendCmpt:i,legendType:a}){if(a!=="symbol")return;let{
markDef:o,encoding:s,config:u,mark:l}=n,c=o.filled&&l!=="trail",f={...Kae({},n,Yse),...rN(n,{filled:c})},d=i.get("symbolOpacity")??u.legend.symbolOpacity,h=i.get(
"symbolFillColor")??u.legend.symbolFillColor,p=i.get("symbolStrokeColor")??u.legend.symbolStrokeColor,g=d===void 0?TN(s.opacity)??o.opacity:void 0;if(f.fill){if(r===
"fill"||c&&r===Xn)delete f.fill;else if(W(f.fill,"field"))h?delete f.fill:(f.fill=Ve(u.legend.symbolBaseFillColor??"black"),f.fillOpacity=Ve(g??1));else if(R(f.
fill)){let m=YE(s.fill??s.color)??o.fill??(c&&o.color);m&&(f.fill=Ve(m))}}if(f.stroke){if(r==="stroke"||!c&&r===Xn)delete f.stroke;else if(W(f.stroke,"field")||
p)delete f.stroke;else if(R(f.stroke)){let m=Ct(YE(s.stroke||s.color),o.stroke,c?o.color:void 0);m&&(f.stroke={value:m})}}if(r!==Ha){let m=U(t)&&ON(n,i,t);m?f.opacity=
[{test:m,...Ve(g??1)},Ve(u.legend.unselectedOpacity)]:g&&(f.opacity=Ve(g))}return f={...f,...e},je(f)?void 0:f}function ffe(e,{model:t,legendType:n,legendCmpt:r}){
if(n!=="gradient")return;let{config:i,markDef:a,encoding:o}=t,s={},l=(r.get("gradientOpacity")??i.legend.gradientOpacity)===void 0?TN(o.opacity)||a.opacity:void 0;
return l&&(s.opacity=Ve(l)),s={...s,...e},je(s)?void 0:s}function dfe(e,{fieldOrDatumDef:t,model:n,channel:r,legendCmpt:i}){let a=n.legend(r)||{},o=n.config,s=U(
t)?ON(n,i,t):void 0,u=s?[{test:s,value:1},{value:o.legend.unselectedOpacity}]:void 0,{format:l,formatType:c}=a,f;uu(c)?f=ri({fieldOrDatumDef:t,field:"datum.valu\
e",format:l,formatType:c,config:o}):l===void 0&&c===void 0&&o.customFormatTypes&&(t.type==="quantitative"&&o.numberFormatType?f=ri({fieldOrDatumDef:t,field:"dat\
um.value",format:o.numberFormat,formatType:o.numberFormatType,config:o}):t.type==="temporal"&&o.timeFormatType&&U(t)&&t.timeUnit===void 0&&(f=ri({fieldOrDatumDef:t,
field:"datum.value",format:o.timeFormat,formatType:o.timeFormatType,config:o})));let d={...u?{opacity:u}:{},...f?{text:f}:{},...e};return je(d)?void 0:d}function hfe(e,{
legendCmpt:t}){return t.get("selections")?.length?{...e,fill:{value:"transparent"}}:e}function TN(e){return RN(e,(t,n)=>Math.max(t,n.value))}function YE(e){return RN(
e,(t,n)=>Ct(t,n.value))}function RN(e,t){if(hue(e))return H(e.condition).reduce(t,e.value);if(oi(e))return e.value}function ON(e,t,n){let r=t.get("selections");
if(!r?.length)return;let i=I(n.field);return r.map(a=>`(!length(data(${I(rt(a)+cu)})) || (${a}[${i}] && indexof(${a}[${i}], datum.value) >= 0))`).join(" || ")}var CT={
direction:({direction:e})=>e,format:({fieldOrDatumDef:e,legend:t,config:n})=>{let{format:r,formatType:i}=t;return GR(e,e.type,r,i,n,!1)},formatType:({legend:e,fieldOrDatumDef:t,
scaleType:n})=>{let{formatType:r}=e;return HR(r,t,n)},gradientLength:e=>{let{legend:t,legendConfig:n}=e;return t.gradientLength??n.gradientLength??vfe(e)},labelOverlap:({
legend:e,legendConfig:t,scaleType:n})=>e.labelOverlap??t.labelOverlap??wfe(n),symbolType:({legend:e,markDef:t,channel:n,encoding:r})=>e.symbolType??gfe(t.type,n,
r.shape,t.shape),title:({fieldOrDatumDef:e,config:t})=>Ul(e,t,{allowDisabling:!0}),type:({legendType:e,scaleType:t,channel:n})=>{if(Ll(n)&&zi(t)){if(e==="gradie\
nt")return}else if(e==="symbol")return;return e},values:({fieldOrDatumDef:e,legend:t})=>pfe(t,e)};function pfe(e,t){let n=e.values;if(R(n))return iO(t,n);if(ne(
n))return n}function gfe(e,t,n,r){if(t!=="shape"){let i=YE(n)??r;if(i)return i}switch(e){case"bar":case"rect":case"image":case"square":return"square";case"line":case"\
trail":case"rule":return"stroke";case"arc":case"point":case"circle":case"tick":case"geoshape":case"area":case"text":return"circle"}}function mfe(e){let{legend:t}=e;
return Ct(t.type,yfe(e))}function yfe({channel:e,timeUnit:t,scaleType:n}){if(Ll(e)){if(Ee(["quarter","month","day"],t))return"symbol";if(zi(n))return"gradient"}
return"symbol"}function bfe({legendConfig:e,legendType:t,orient:n,legend:r}){return r.direction??e[t?"gradientDirection":"symbolDirection"]??xfe(n,t)}function xfe(e,t){
switch(e){case"top":case"bottom":return"horizontal";case"left":case"right":case"none":case void 0:return;default:return t==="gradient"?"horizontal":void 0}}function vfe({
legendConfig:e,model:t,direction:n,orient:r,scaleType:i}){let{gradientHorizontalMaxLength:a,gradientHorizontalMinLength:o,gradientVerticalMaxLength:s,gradientVerticalMinLength:u}=e;
if(zi(i))return n==="horizontal"?r==="top"||r==="bottom"?_T(t,"width",o,a):o:_T(t,"height",u,s)}function _T(e,t,n,r){return{signal:`clamp(${e.getSizeSignalRef(t).
signal}, ${n}, ${r})`}}function wfe(e){if(Ee(["quantile","threshold","log","symlog"],e))return"greedy"}function NN(e){let t=et(e)?Afe(e):_fe(e);return e.component.
legends=t,t}function Afe(e){let{encoding:t}=e,n={};for(let r of[Xn,..._O]){let i=Dt(t[r]);!i||!e.getScaleComponent(r)||r===Kn&&U(i)&&i.type===ac||(n[r]=Cfe(e,r))}
return n}function Efe(e,t){let n=e.scaleName(t);if(e.mark==="trail"){if(t==="color")return{stroke:n};if(t==="size")return{strokeWidth:n}}return t==="color"?e.markDef.
filled?{fill:n}:{stroke:n}:{[t]:n}}function Sfe(e,t,n,r){switch(t){case"disable":return n!==void 0;case"values":return!!n?.values;case"title":if(t==="title"&&e===
r?.title)return!0}return e===(n||{})[t]}function Cfe(e,t){let n=e.legend(t),{markDef:r,encoding:i,config:a}=e,o=a.legend,s=new HE({},Efe(e,t));Nce(e,t,s);let u=n!==
void 0?!n:o.disable;if(s.set("disable",u,n!==void 0),u)return s;n=n||{};let l=e.getScaleComponent(t).get("type"),c=Dt(i[t]),f=U(c)?Gt(c.timeUnit)?.unit:void 0,d=n.
orient||a.legend.orient||"right",h=mfe({legend:n,channel:t,timeUnit:f,scaleType:l}),p=bfe({legend:n,legendType:h,orient:d,legendConfig:o}),g={legend:n,channel:t,
model:e,markDef:r,encoding:i,fieldOrDatumDef:c,legendConfig:o,config:a,scaleType:l,orient:d,legendType:h,direction:p};for(let v of $N){if(h==="gradient"&&v.startsWith(
"symbol")||h==="symbol"&&v.startsWith("gradient"))continue;let w=v in CT?CT[v](g):n[v];if(w!==void 0){let E=Sfe(w,v,n,e.fieldDef(t));(E||a.legend[v]===void 0)&&
s.set(v,w,E)}}let m=n?.encoding??{},y=s.get("selections"),b={},x={fieldOrDatumDef:c,model:e,channel:t,legendCmpt:s,legendType:h};for(let v of["labels","legend",
"title","symbols","gradient","entries"]){let w=MN(m[v]??{},e),E=v in ST?ST[v](w,x):w;E!==void 0&&!je(E)&&(b[v]={...y?.length&&U(c)?{name:`${rt(c.field)}_legend_${v}`}:
{},...y?.length?{interactive:!0}:{},update:y?.length?{...E,cursor:{value:"pointer"}}:E})}return je(b)||s.set("encode",b,!!n?.encoding),s}function _fe(e){let{legends:t,
resolve:n}=e.component;for(let r of e.children){NN(r);for(let i of q(r.component.legends))n.legend[i]=_5(e.component.resolve,i),n.legend[i]==="shared"&&(t[i]=BN(
t[i],r.component.legends[i]),t[i]||(n.legend[i]="independent",delete t[i]))}for(let r of q(t))for(let i of e.children)i.component.legends[r]&&n.legend[r]==="sha\
red"&&delete i.component.legends[r];return t}function BN(e,t){if(!e)return t.clone();let n=e.getWithExplicit("orient"),r=t.getWithExplicit("orient");if(n.explicit&&
r.explicit&&n.value!==r.value)return;let i=!1;for(let a of $N){let o=qo(e.getWithExplicit(a),t.getWithExplicit(a),a,"legend",(s,u)=>{switch(a){case"symbolType":
return kfe(s,u);case"title":return fR(s,u);case"type":return i=!0,dr("symbol")}return I1(s,u,a,"legend")});e.setWithExplicit(a,o)}return i&&(e.implicit?.encode?.
gradient&&wE(e.implicit,["encode","gradient"]),e.explicit?.encode?.gradient&&wE(e.explicit,["encode","gradient"])),e}function kfe(e,t){return t.value==="circle"?
t:e}function Ffe(e,t,n,r){if(ch(t,n)){let i=et(e)?e.axis(n)??e.legend(n)??{}:{},a=K(t,{expr:"datum"}),o=K(t,{expr:"datum",binSuffix:"end"});return{formulaAs:K(t,
{binSuffix:"range",forAs:!0}),formula:oh(a,o,i.format,i.formatType,r)}}return{}}function PN(e,t){return`${nR(e)}_${t}`}function Mfe(e,t){return{signal:e.getName(
`${t}_bins`),extentSignal:e.getName(`${t}_extent`)}}function k5(e,t,n){let r=R1(n,void 0)??{},i=PN(r,t);return e.getName(`${i}_bins`)}function Dfe(e){return"as"in
e}function kT(e,t,n){let r,i;Dfe(e)?r=X(e.as)?[e.as,`${e.as}_end`]:[e.as[0],e.as[1]]:r=[K(e,{forAs:!0}),K(e,{binSuffix:"end",forAs:!0})];let a={...R1(t,void 0)},
o=PN(a,e.field),{signal:s,extentSignal:u}=Mfe(n,o);if(A1(a.extent)){let c=a.extent;i=xN(n,c.param,c),delete a.extent}let l={bin:a,field:e.field,as:[r],...s?{signal:s}:
{},...u?{extentSignal:u}:{},...i?{span:i}:{}};return{key:o,binComponent:l}}var Wo=class e extends $e{bins;clone(){return new e(null,de(this.bins))}constructor(t,n){
super(t),this.bins=n}static makeFromEncoding(t,n){let r=n.reduceFieldDef((i,a,o)=>{if(Nn(a)&&We(a.bin)){let{key:s,binComponent:u}=kT(a,a.bin,n);i[s]={...u,...i[s],
...Ffe(n,a,o,n.config)}}return i},{});return je(r)?null:new e(t,r)}static makeFromTransform(t,n,r){let{key:i,binComponent:a}=kT(n,n.bin,r);return new e(t,{[i]:a})}merge(t,n){
for(let r of q(t.bins))r in this.bins?(n(t.bins[r].signal,this.bins[r].signal),this.bins[r].as=Mr([...this.bins[r].as,...t.bins[r].as],ye)):this.bins[r]=t.bins[r];
for(let r of t.children)t.removeChild(r),r.parent=this;t.remove()}producedFields(){return new Set($t(this.bins).map(t=>t.as).flat(2))}dependentFields(){return new Set(
$t(this.bins).map(t=>t.field))}hash(){return`Bin ${ye(this.bins)}`}assemble(){return $t(this.bins).flatMap(t=>{let n=[],[r,...i]=t.as,{extent:a,...o}=t.bin,s={type:"\
bin",field:ii(t.field),as:r,signal:t.signal,...A1(a)?{extent:null}:{extent:a},...t.span?{span:{signal:`span(${t.span})`}}:{},...o};!a&&t.extentSignal&&(n.push({
type:"extent",field:ii(t.field),signal:t.extentSignal}),s.extent={signal:t.extentSignal}),n.push(s);for(let u of i)for(let l=0;l<2;l++)n.push({type:"formula",expr:K(
{field:r[l]},{expr:"datum"}),as:u[l]});return t.formula&&n.push({type:"formula",expr:t.formula,as:t.formulaAs}),n})}};function $fe(e,t,n,r){let i=et(r)?r.encoding[Yi(
t)]:void 0;if(Nn(n)&&et(r)&&KR(n,i,r.markDef,r.config)){e.add(K(n,{})),e.add(K(n,{suffix:"end"}));let{mark:a,markDef:o,config:s}=r,u=Ba({fieldDef:n,markDef:o,config:s});
qd(a)&&u!==.5&&wt(t)&&(e.add(K(n,{suffix:z1})),e.add(K(n,{suffix:L1}))),n.bin&&ch(n,t)&&e.add(K(n,{binSuffix:"range"}))}else if(YT(t)){let a=HT(t);e.add(r.getName(
a))}else e.add(K(n));return vu(n)&&Ose(n.scale?.range)&&e.add(n.scale.range.field),e}function Tfe(e,t){for(let n of q(t)){let r=t[n];for(let i of q(r))n in e?e[n][i]=
new Set([...e[n][i]??[],...r[i]]):e[n]={[i]:r[i]}}}var La=class e extends $e{dimensions;measures;clone(){return new e(null,new Set(this.dimensions),de(this.measures))}constructor(t,n,r){
super(t),this.dimensions=n,this.measures=r}get groupBy(){return this.dimensions}static makeFromEncoding(t,n){let r=!1;n.forEachFieldDef(o=>{o.aggregate&&(r=!0)});
let i={},a=new Set;return!r||(n.forEachFieldDef((o,s)=>{let{aggregate:u,field:l}=o;if(u)if(u==="count")i["*"]??={},i["*"].count=new Set([K(o,{forAs:!0})]);else{
if(Na(u)||Zo(u)){let c=Na(u)?"argmin":"argmax",f=u[c];i[f]??={},i[f][c]=new Set([K({op:c,field:f},{forAs:!0})])}else i[l]??={},i[l][u]=new Set([K(o,{forAs:!0})]);
Vi(s)&&n.scaleDomain(s)==="unaggregated"&&(i[l]??={},i[l].min=new Set([K({field:l,aggregate:"min"},{forAs:!0})]),i[l].max=new Set([K({field:l,aggregate:"max"},{
forAs:!0})]))}else $fe(a,s,o,n)}),a.size+q(i).length===0)?null:new e(t,a,i)}static makeFromTransform(t,n){let r=new Set,i={};for(let a of n.aggregate){let{op:o,
field:s,as:u}=a;o&&(o==="count"?(i["*"]??={},i["*"].count=new Set([u||K(a,{forAs:!0})])):(i[s]??={},i[s][o]??=new Set,i[s][o].add(u||K(a,{forAs:!0}))))}for(let a of n.
groupby??[])r.add(a);return r.size+q(i).length===0?null:new e(t,r,i)}merge(t){return dae(this.dimensions,t.dimensions)?(Tfe(this.measures,t.measures),!0):(ase("\
different dimensions, cannot merge"),!1)}addDimensions(t){t.forEach(this.dimensions.add,this.dimensions)}dependentFields(){return new Set([...this.dimensions,...q(
this.measures)])}producedFields(){let t=new Set;for(let n of q(this.measures))for(let r of q(this.measures[n])){let i=this.measures[n][r];i.size===0?t.add(`${r}\
_${n}`):i.forEach(t.add,t)}return t}hash(){return`Aggregate ${ye({dimensions:this.dimensions,measures:this.measures})}`}assemble(){let t=[],n=[],r=[];for(let a of q(
this.measures))for(let o of q(this.measures[a]))for(let s of this.measures[a][o])r.push(s),t.push(o),n.push(a==="*"?null:ii(a));return{type:"aggregate",groupby:[
...this.dimensions].map(ii),ops:t,fields:n,as:r}}},Go=class extends $e{model;name;data;column;row;facet;childModel;constructor(t,n,r,i){super(t),this.model=n,this.
name=r,this.data=i;for(let a of $r){let o=n.facet[a];if(o){let{bin:s,sort:u}=o;this[a]={name:n.getName(`${a}_domain`),fields:[K(o),...We(s)?[K(o,{binSuffix:"end"})]:
[]],...Ta(u)?{sortField:u}:R(u)?{sortIndexField:tc(o,a)}:{}}}}this.childModel=n.child}hash(){let t="Facet";for(let n of $r)this[n]&&(t+=` ${n.charAt(0)}:${ye(this[n])}`);
return t}get fields(){let t=[];for(let n of $r)this[n]?.fields&&t.push(...this[n].fields);return t}dependentFields(){let t=new Set(this.fields);for(let n of $r)
this[n]&&(this[n].sortField&&t.add(this[n].sortField.field),this[n].sortIndexField&&t.add(this[n].sortIndexField));return t}producedFields(){return new Set}getSource(){
return this.name}getChildIndependentFieldsWithStep(){let t={};for(let n of Ya){let r=this.childModel.component.scales[n];if(r&&!r.merged){let i=r.get("type"),a=r.
get("range");if(ft(i)&&yu(a)){let o=hu(this.childModel,n),s=M5(o);s?t[n]=s:j(D3(n))}}}return t}assembleRowColumnHeaderData(t,n,r){let i={row:"y",column:"x",facet:void 0}[t],
a=[],o=[],s=[];i&&r&&r[i]&&(n?(a.push(`distinct_${r[i]}`),o.push("max")):(a.push(r[i]),o.push("distinct")),s.push(`distinct_${r[i]}`));let{sortField:u,sortIndexField:l}=this[t];
if(u){let{op:c=D1,field:f}=u;a.push(f),o.push(c),s.push(K(u,{forAs:!0}))}else l&&(a.push(l),o.push("max"),s.push(l));return{name:this[t].name,source:n??this.data,
transform:[{type:"aggregate",groupby:this[t].fields,...a.length?{fields:a,ops:o,as:s}:{}}]}}assembleFacetHeaderData(t){let{columns:n}=this.model.layout,{layoutHeaders:r}=this.
model.component,i=[],a={};for(let u of E5){for(let l of S5){let c=r[u]?.[l]??[];for(let f of c)if(f.axes?.length>0){a[u]=!0;break}}if(a[u]){let l=`length(data("${this.
facet.name}"))`,c=u==="row"?n?{signal:`ceil(${l} / ${n})`}:1:n?{signal:`min(${l}, ${n})`}:{signal:l};i.push({name:`${this.facet.name}_${u}`,transform:[{type:"se\
quence",start:0,stop:c}]})}}let{row:o,column:s}=a;return(o||s)&&i.unshift(this.assembleRowColumnHeaderData("facet",null,t)),i}assemble(){let t=[],n=null,r=this.
getChildIndependentFieldsWithStep(),{column:i,row:a,facet:o}=this;if(i&&a&&(r.x||r.y)){n=`cross_${this.column.name}_${this.row.name}`;let s=[].concat(r.x??[],r.
y??[]),u=s.map(()=>"distinct");t.push({name:n,source:this.data,transform:[{type:"aggregate",groupby:this.fields,fields:s,ops:u}]})}for(let s of[$a,Da])this[s]&&
t.push(this.assembleRowColumnHeaderData(s,n,r));if(o){let s=this.assembleFacetHeaderData(r);s&&t.push(...s)}return t}};function FT(e){return e.startsWith("'")&&
e.endsWith("'")||e.startsWith('"')&&e.endsWith('"')?e.slice(1,-1):e}function Rfe(e,t){let n=jT(e);if(t==="number")return`toNumber(${n})`;if(t==="boolean")return`\
toBoolean(${n})`;if(t==="string")return`toString(${n})`;if(t==="date")return`toDate(${n})`;if(t==="flatten")return n;if(t.startsWith("date:")){let r=FT(t.slice(
5,t.length));return`timeParse(${n},'${r}')`}else if(t.startsWith("utc:")){let r=FT(t.slice(4,t.length));return`utcParse(${n},'${r}')`}else return j(hoe(t)),null}
function Ofe(e){let t={};return Bm(e.filter,n=>{if(FR(n)){let r=null;B3(n)?r=hr(n.equal):I3(n)?r=hr(n.lte):P3(n)?r=hr(n.lt):z3(n)?r=hr(n.gt):L3(n)?r=hr(n.gte):U3(
n)?r=n.range[0]:q3(n)&&(r=(n.oneOf??n.in)[0]),r&&(bu(r)?t[n.field]="date":we(r)?t[n.field]="number":X(r)&&(t[n.field]="string")),n.timeUnit&&(t[n.field]="date")}}),
t}function Nfe(e){let t={};function n(r){Kl(r)?t[r.field]="date":r.type==="quantitative"&&Uae(r.aggregate)?t[r.field]="number":Ud(r.field)>1?r.field in t||(t[r.
field]="flatten"):vu(r)&&Ta(r.sort)&&Ud(r.sort.field)>1&&(r.sort.field in t||(t[r.sort.field]="flatten"))}if((et(e)||pr(e))&&e.forEachFieldDef((r,i)=>{if(Nn(r))
n(r);else{let a=gu(i),o=e.fieldDef(a);n({...r,type:o.type})}}),et(e)){let{mark:r,markDef:i,encoding:a}=e;if(Jo(r)&&!e.encoding.order){let o=i.orient==="horizont\
al"?"y":"x",s=a[o];U(s)&&s.type==="quantitative"&&!(s.field in t)&&(t[s.field]="number")}}return t}function Bfe(e){let t={};if(et(e)&&e.component.selection)for(let n of q(
e.component.selection)){let r=e.component.selection[n];for(let i of r.project.items)!i.channel&&Ud(i.field)>1&&(t[i.field]="flatten")}return t}var On=class e extends $e{_parse;clone(){
return new e(null,de(this._parse))}constructor(t,n){super(t),this._parse=n}hash(){return`Parse ${ye(this._parse)}`}static makeExplicit(t,n,r){let i={},a=n.data;
return!Lo(a)&&a?.format?.parse&&(i=a.format.parse),this.makeWithAncestors(t,i,{},r)}static makeWithAncestors(t,n,r,i){for(let s of q(r)){let u=i.getWithExplicit(
s);u.value!==void 0&&(u.explicit||u.value===r[s]||u.value==="derived"||r[s]==="flatten"?delete r[s]:j(I$(s,r[s],u.value)))}for(let s of q(n)){let u=i.get(s);u!==
void 0&&(u===n[s]?delete n[s]:j(I$(s,n[s],u)))}let a=new Pa(n,r);i.copyAll(a);let o={};for(let s of q(a.combine())){let u=a.get(s);u!==null&&(o[s]=u)}return q(o).
length===0||i.parseNothing?null:new e(t,o)}get parse(){return this._parse}merge(t){this._parse={...this._parse,...t.parse},t.remove()}assembleFormatParse(){let t={};
for(let n of q(this._parse)){let r=this._parse[n];Ud(n)===1&&(t[n]=r)}return t}producedFields(){return new Set(q(this._parse))}dependentFields(){return new Set(
q(this._parse))}assembleTransforms(t=!1){return q(this._parse).filter(n=>t?Ud(n)>1:!0).map(n=>{let r=Rfe(n,this._parse[n]);return r?{type:"formula",expr:r,as:eh(
n)}:null}).filter(n=>n!==null)}},Ho=class e extends $e{clone(){return new e(null)}constructor(t){super(t)}dependentFields(){return new Set}producedFields(){return new Set(
[ui])}hash(){return"Identifier"}assemble(){return{type:"identifier",as:ui}}},Yd=class e extends $e{params;clone(){return new e(null,this.params)}constructor(t,n){
super(t),this.params=n}dependentFields(){return new Set}producedFields(){}hash(){return`Graticule ${ye(this.params)}`}assemble(){return{type:"graticule",...this.
params===!0?{}:this.params}}},Vd=class e extends $e{params;clone(){return new e(null,this.params)}constructor(t,n){super(t),this.params=n}dependentFields(){return new Set}producedFields(){
return new Set([this.params.as??"data"])}hash(){return`Hash ${ye(this.params)}`}assemble(){return{type:"sequence",...this.params}}},Ua=class extends $e{_data;_name;_generator;constructor(t){
super(null),t??={name:"source"};let n;if(Lo(t)||(n=t.format?{...Tr(t.format,["parse"])}:{}),Gd(t))this._data={values:t.values};else if(Zl(t)){if(this._data={url:t.
url},!n.type){let r=/(?:\.([^.]+))?$/.exec(t.url)[1];Ee(["json","csv","tsv","dsv","topojson"],r)||(r="json"),n.type=r}}else WO(t)?this._data={values:[{type:"Sph\
ere"}]}:(qO(t)||Lo(t))&&(this._data={});this._generator=Lo(t),t.name&&(this._name=t.name),n&&!je(n)&&(this._data.format=n)}dependentFields(){return new Set}producedFields(){}get data(){
return this._data}hasName(){return!!this._name}get isGenerator(){return this._generator}get dataName(){return this._name}set dataName(t){this._name=t}set parent(t){
throw new Error("Source nodes have to be roots.")}remove(){throw new Error("Source nodes are roots and cannot be removed.")}hash(){throw new Error("Cannot hash \
sources")}assemble(){return{name:this._name,...this._data,transform:[]}}};function F5(e){return e instanceof Ua||e instanceof Yd||e instanceof Vd}var Xd=class{#e;constructor(){
this.#e=!1}setModified(){this.#e=!0}get modifiedFlag(){return this.#e}},qa=class extends Xd{getNodeDepths(t,n,r){r.set(t,n);for(let i of t.children)this.getNodeDepths(
i,n+1,r);return r}optimize(t){let r=[...this.getNodeDepths(t,0,new Map).entries()].sort((i,a)=>a[1]-i[1]);for(let i of r)this.run(i[0]);return this.modifiedFlag}},
Kd=class extends Xd{optimize(t){this.run(t);for(let n of t.children)this.optimize(n);return this.modifiedFlag}},VE=class extends Kd{mergeNodes(t,n){let r=n.shift();
for(let i of n)t.removeChild(i),i.parent=r,i.remove()}run(t){let n=t.children.map(i=>i.hash()),r={};for(let i=0;i<n.length;i++)r[n[i]]===void 0?r[n[i]]=[t.children[i]]:
r[n[i]].push(t.children[i]);for(let i of q(r))r[i].length>1&&(this.setModified(),this.mergeNodes(t,r[i]))}},XE=class extends Kd{requiresSelectionId;constructor(t){
super(),this.requiresSelectionId=t&&A5(t)}run(t){t instanceof Ho&&(this.requiresSelectionId&&(F5(t.parent)||t.parent instanceof La||t.parent instanceof On)||(this.
setModified(),t.remove()))}},KE=class extends Xd{optimize(t){return this.run(t,new Set),this.modifiedFlag}run(t,n){let r=new Set;t instanceof jo&&(r=t.producedFields(),
UT(r,n)&&(this.setModified(),t.removeFormulas(n),t.producedFields.length===0&&t.remove()));for(let i of t.children)this.run(i,new Set([...n,...r]))}},QE=class extends Kd{constructor(){
super()}run(t){t instanceof bn&&!t.isRequired()&&(this.setModified(),t.remove())}},ZE=class extends qa{run(t){if(!F5(t)&&!(t.numChildren()>1)){for(let n of t.children)
if(n instanceof On)if(t instanceof On)this.setModified(),t.merge(n);else{if(qT(t.producedFields(),n.dependentFields()))continue;this.setModified(),n.swapWithParent()}}}},
JE=class extends qa{run(t){let n=[...t.children],r=t.children.filter(i=>i instanceof On);if(t.numChildren()>1&&r.length>=1){let i={},a=new Set;for(let o of r){let s=o.
parse;for(let u of q(s))u in i?i[u]!==s[u]&&a.add(u):i[u]=s[u]}for(let o of a)delete i[o];if(!je(i)){this.setModified();let o=new On(t,i);for(let s of n){if(s instanceof
On)for(let u of q(i))delete s.parse[u];t.removeChild(s),s.parent=o,s instanceof On&&q(s.parse).length===0&&s.remove()}}}}},e3=class extends qa{run(t){t instanceof
bn||t.numChildren()>0||t instanceof Go||t instanceof Ua||(this.setModified(),t.remove())}},t3=class extends qa{run(t){let n=t.children.filter(i=>i instanceof jo),
r=n.pop();for(let i of n)this.setModified(),r.merge(i)}},n3=class extends qa{run(t){let n=t.children.filter(i=>i instanceof La),r={};for(let i of n){let a=ye(i.
groupBy);a in r||(r[a]=[]),r[a].push(i)}for(let i of q(r)){let a=r[i];if(a.length>1){let o=a.pop();for(let s of a)o.merge(s)&&(t.removeChild(s),s.parent=o,s.remove(),
this.setModified())}}}},r3=class extends qa{model;constructor(t){super(),this.model=t}run(t){let n=!(F5(t)||t instanceof ec||t instanceof On||t instanceof Ho),r=[],
i=[];for(let a of t.children)a instanceof Wo&&(n&&!qT(t.producedFields(),a.dependentFields())?r.push(a):i.push(a));if(r.length>0){let a=r.pop();for(let o of r)a.
merge(o,this.model.renameSignal.bind(this.model));this.setModified(),t instanceof Wo?t.merge(a,this.model.renameSignal.bind(this.model)):a.swapWithParent()}if(i.
length>1){let a=i.pop();for(let o of i)a.merge(o,this.model.renameSignal.bind(this.model));this.setModified()}}},i3=class extends qa{run(t){let n=[...t.children];
if(!zd(n,o=>o instanceof bn)||t.numChildren()<=1)return;let i=[],a;for(let o of n)if(o instanceof bn){let s=o;for(;s.numChildren()===1;){let[u]=s.children;if(u instanceof
bn)s=u;else break}i.push(...s.children),a?(t.removeChild(o),o.parent=a.parent,a.parent.removeChild(a),a.parent=s,this.setModified()):a=s}else i.push(o);if(i.length){
this.setModified();for(let o of i)o.parent.removeChild(o),o.parent=a}}},fu=class e extends $e{transform;clone(){return new e(null,de(this.transform))}constructor(t,n){
super(t),this.transform=n}addDimensions(t){this.transform.groupby=Mr(this.transform.groupby.concat(t),n=>n)}dependentFields(){let t=new Set;return this.transform.
groupby&&this.transform.groupby.forEach(t.add,t),this.transform.joinaggregate.map(n=>n.field).filter(n=>n!==void 0).forEach(t.add,t),t}producedFields(){return new Set(
this.transform.joinaggregate.map(this.getDefaultName))}getDefaultName(t){return t.as??K(t)}hash(){return`JoinAggregateTransform ${ye(this.transform)}`}assemble(){
let t=[],n=[],r=[];for(let a of this.transform.joinaggregate)n.push(a.op),r.push(this.getDefaultName(a)),t.push(a.field===void 0?null:a.field);let i=this.transform.
groupby;return{type:"joinaggregate",as:r,ops:n,fields:t,...i!==void 0?{groupby:i}:{}}}},Qd=class e extends $e{filter;clone(){return new e(null,{...this.filter})}constructor(t,n){
super(t),this.filter=n}static make(t,n,r){let{config:i,markDef:a}=n,{marks:o,scales:s}=r;if(o==="include-invalid-values"&&s==="include-invalid-values")return null;
let u=n.reduceFieldDef((l,c,f)=>{let d=Vi(f)&&n.getScaleComponent(f);if(d){let h=d.get("type"),{aggregate:p}=c,g=K3({scaleChannel:f,markDef:a,config:i,scaleType:h,
isCountAggregate:w1(p)});g!=="show"&&g!=="always-valid"&&(l[c.field]=c)}return l},{});return q(u).length?new e(t,u):null}dependentFields(){return new Set(q(this.
filter))}producedFields(){return new Set}hash(){return`FilterInvalid ${ye(this.filter)}`}assemble(){let t=q(this.filter).reduce((n,r)=>{let i=this.filter[r],a=K(
i,{expr:"datum"});return i!==null&&(i.type==="temporal"?n.push(`(isDate(${a}) || (${a3(a)}))`):i.type==="quantitative"&&n.push(a3(a))),n},[]);return t.length>0?
{type:"filter",expr:t.join(" && ")}:null}};function a3(e){return`isValid(${e}) && isFinite(+${e})`}function Pfe(e){return e.stack.stackBy.reduce((t,n)=>{let r=n.
fieldDef,i=K(r);return i&&t.push(i),t},[])}function Ife(e){return R(e)&&e.every(t=>X(t))&&e.length>1}var du=class e extends $e{_stack;clone(){return new e(null,
de(this._stack))}constructor(t,n){super(t),this._stack=n}static makeFromTransform(t,n){let{stack:r,groupby:i,as:a,offset:o="zero"}=n,s=[],u=[];if(n.sort!==void 0)
for(let f of n.sort)s.push(f.field),u.push(Ct(f.order,"ascending"));let l={field:s,order:u},c;return Ife(a)?c=a:X(a)?c=[a,`${a}_end`]:c=[`${n.stack}_start`,`${n.
stack}_end`],new e(t,{dimensionFieldDefs:[],stackField:r,groupby:i,offset:o,sort:l,facetby:[],as:c})}static makeFromEncoding(t,n){let r=n.stack,{encoding:i}=n;if(!r)
return null;let{groupbyChannels:a,fieldChannel:o,offset:s,impute:u}=r,l=a.map(h=>{let p=i[h];return si(p)}).filter(h=>!!h),c=Pfe(n),f=n.encoding.order,d;if(R(f)||
U(f))d=uR(f);else{let h=QR(f)?f.sort:o==="y"?"descending":"ascending";d=c.reduce((p,g)=>(p.field.includes(g)||(p.field.push(g),p.order.push(h)),p),{field:[],order:[]})}
return new e(t,{dimensionFieldDefs:l,stackField:n.vgField(o),facetby:[],stackby:c,sort:d,offset:s,impute:u,as:[n.vgField(o,{suffix:"start",forAs:!0}),n.vgField(
o,{suffix:"end",forAs:!0})]})}get stack(){return this._stack}addDimensions(t){this._stack.facetby.push(...t)}dependentFields(){let t=new Set;return t.add(this._stack.
stackField),this.getGroupbyFields().forEach(t.add,t),this._stack.facetby.forEach(t.add,t),this._stack.sort.field.forEach(t.add,t),t}producedFields(){return new Set(
this._stack.as)}hash(){return`Stack ${ye(this._stack)}`}getGroupbyFields(){let{dimensionFieldDefs:t,impute:n,groupby:r}=this._stack;return t.length>0?t.map(i=>i.
bin?n?[K(i,{binSuffix:"mid"})]:[K(i,{}),K(i,{binSuffix:"end"})]:[K(i)]).flat():r??[]}assemble(){let t=[],{facetby:n,dimensionFieldDefs:r,stackField:i,stackby:a,
sort:o,offset:s,impute:u,as:l}=this._stack;if(u)for(let c of r){let{bandPosition:f=.5,bin:d}=c;if(d){let h=K(c,{expr:"datum"}),p=K(c,{expr:"datum",binSuffix:"en\
d"});t.push({type:"formula",expr:`${a3(h)} ? ${f}*${h}+${1-f}*${p} : ${h}`,as:K(c,{binSuffix:"mid",forAs:!0})})}t.push({type:"impute",field:i,groupby:[...a,...n],
key:K(c,{binSuffix:"mid"}),method:"value",value:0})}return t.push({type:"stack",groupby:[...this.getGroupbyFields(),...n],field:i,sort:o,as:l,offset:s}),t}},rc=class e extends $e{transform;clone(){
return new e(null,de(this.transform))}constructor(t,n){super(t),this.transform=n}addDimensions(t){this.transform.groupby=Mr(this.transform.groupby.concat(t),n=>n)}dependentFields(){
let t=new Set;return(this.transform.groupby??[]).forEach(t.add,t),(this.transform.sort??[]).forEach(n=>t.add(n.field)),this.transform.window.map(n=>n.field).filter(
n=>n!==void 0).forEach(t.add,t),t}producedFields(){return new Set(this.transform.window.map(this.getDefaultName))}getDefaultName(t){return t.as??K(t)}hash(){return`\
WindowTransform ${ye(this.transform)}`}assemble(){let t=[],n=[],r=[],i=[];for(let f of this.transform.window)n.push(f.op),r.push(this.getDefaultName(f)),i.push(
f.param===void 0?null:f.param),t.push(f.field===void 0?null:f.field);let a=this.transform.frame,o=this.transform.groupby;if(a&&a[0]===null&&a[1]===null&&n.every(
f=>F3(f)))return{type:"joinaggregate",as:r,ops:n,fields:t,...o!==void 0?{groupby:o}:{}};let s=[],u=[];if(this.transform.sort!==void 0)for(let f of this.transform.
sort)s.push(f.field),u.push(f.order??"ascending");let l={field:s,order:u},c=this.transform.ignorePeers;return{type:"window",params:i,as:r,ops:n,fields:t,sort:l,
...c!==void 0?{ignorePeers:c}:{},...o!==void 0?{groupby:o}:{},...a!==void 0?{frame:a}:{}}}};function zfe(e){function t(n){if(!(n instanceof Go)){let r=n.clone();
if(r instanceof bn){let i=s3+r.getSource();r.setSource(i),e.model.component.data.outputNodes[i]=r}else(r instanceof La||r instanceof du||r instanceof rc||r instanceof
fu)&&r.addDimensions(e.fields);for(let i of n.children.flatMap(t))i.parent=r;return[r]}return n.children.flatMap(t)}return t}function o3(e){if(e instanceof Go)if(e.
numChildren()===1&&!(e.children[0]instanceof bn)){let t=e.children[0];(t instanceof La||t instanceof du||t instanceof rc||t instanceof fu)&&t.addDimensions(e.fields),
t.swapWithParent(),o3(e)}else{let t=e.model.component.data.main;IN(t);let n=zfe(e),r=e.children.map(n).flat();for(let i of r)i.parent=t}else e.children.map(o3)}
function IN(e){if(e instanceof bn&&e.type===it.Main&&e.numChildren()===1){let t=e.children[0];t instanceof Go||(t.swapWithParent(),IN(e))}}var s3="scale_",Rm=5;
function u3(e){for(let t of e){for(let n of t.children)if(n.parent!==t)return!1;if(!u3(t.children))return!1}return!0}function ti(e,t){let n=!1;for(let r of t)n=
e.optimize(r)||n;return n}function MT(e,t,n){let r=e.sources,i=!1;return i=ti(new QE,r)||i,i=ti(new XE(t),r)||i,r=r.filter(a=>a.numChildren()>0),i=ti(new e3,r)||
i,r=r.filter(a=>a.numChildren()>0),n||(i=ti(new ZE,r)||i,i=ti(new r3(t),r)||i,i=ti(new KE,r)||i,i=ti(new JE,r)||i,i=ti(new n3,r)||i,i=ti(new t3,r)||i,i=ti(new VE,
r)||i,i=ti(new i3,r)||i),e.sources=r,i}function Lfe(e,t){u3(e.sources);let n=0,r=0;for(let i=0;i<Rm&&MT(e,t,!0);i++)n++;e.sources.map(o3);for(let i=0;i<Rm&&MT(e,
t,!1);i++)r++;u3(e.sources),Math.max(n,r)===Rm&&j(`Maximum optimization runs(${Rm}) reached.`)}var Wt=class e{constructor(t){Object.defineProperty(this,"signal",
{enumerable:!0,get:t})}signal;static fromName(t,n){return new e(()=>t(n))}};function zN(e){et(e)?Ufe(e):qfe(e)}function Ufe(e){let t=e.component.scales;for(let n of q(
t)){let r=Wfe(e,n);if(t[n].setWithExplicit("domains",r),Hfe(e,n),e.component.data.isFaceted){let a=e;for(;!pr(a)&&a.parent;)a=a.parent;if(a.component.resolve.scale[n]===
"shared")for(let s of r.value)Ma(s)&&(s.data=s3+s.data.replace(s3,""))}}}function qfe(e){for(let n of e.children)zN(n);let t=e.component.scales;for(let n of q(t)){
let r,i=null;for(let a of e.children){let o=a.component.scales[n];if(o){r===void 0?r=o.getWithExplicit("domains"):r=qo(r,o.getWithExplicit("domains"),"domains",
"scale",l3);let s=o.get("selectionExtent");i&&s&&i.param!==s.param&&j(ooe),i=s}}t[n].setWithExplicit("domains",r),i&&t[n].set("selectionExtent",i,!0)}}function jfe(e,t,n,r){
if(e==="unaggregated"){let{valid:i,reason:a}=DT(t,n);if(!i){j(a);return}}else if(e===void 0&&r.useUnaggregatedDomain){let{valid:i}=DT(t,n);if(i)return"unaggrega\
ted"}return e}function Wfe(e,t){let n=e.getScaleComponent(t).get("type"),{encoding:r}=e,i=jfe(e.scaleDomain(t),e.typedFieldDef(t),n,e.config.scale);return i!==e.
scaleDomain(t)&&(e.specifiedScales[t]={...e.specifiedScales[t],domain:i}),t==="x"&&Dt(r.x2)?Dt(r.x)?qo(Po(n,i,e,"x"),Po(n,i,e,"x2"),"domain","scale",l3):Po(n,i,
e,"x2"):t==="y"&&Dt(r.y2)?Dt(r.y)?qo(Po(n,i,e,"y"),Po(n,i,e,"y2"),"domain","scale",l3):Po(n,i,e,"y2"):Po(n,i,e,t)}function Gfe(e,t,n){return e.map(r=>({signal:`\
{data: ${O1(r,{timeUnit:n,type:t})}}`}))}function bE(e,t,n){let r=Gt(n)?.unit;return t==="temporal"||r?Gfe(e,t,r):[e]}function Po(e,t,n,r){let{encoding:i,markDef:a,
mark:o,config:s,stack:u}=n,l=Dt(i[r]),{type:c}=l,f=l.timeUnit,d=oce({invalid:Ui("invalid",a,s),isPath:Jo(o)});if(Rse(t)){let g=Po(e,void 0,n,r),m=bE(t.unionWith,
c,f);return Ii([...m,...g.value])}else{if(ne(t))return Ii([t]);if(t&&t!=="unaggregated"&&!OR(t))return Ii(bE(t,c,f))}if(u&&r===u.fieldChannel){if(u.offset==="no\
rmalize")return dr([[0,1]]);let g=n.requestDataName(d);return dr([{data:g,field:n.vgField(r,{suffix:"start"})},{data:g,field:n.vgField(r,{suffix:"end"})}])}let h=Vi(
r)&&U(l)?Yfe(n,r,e):void 0;if(Xi(l)){let g=bE([l.datum],c,f);return dr(g)}let p=l;if(t==="unaggregated"){let{field:g}=l;return dr([{data:n.requestDataName(d),field:K(
{field:g,aggregate:"min"})},{data:n.requestDataName(d),field:K({field:g,aggregate:"max"})}])}else if(We(p.bin)){if(ft(e))return dr(e==="bin-ordinal"?[]:[{data:Ld(
h)?n.requestDataName(d):n.requestDataName(it.Raw),field:n.vgField(r,ch(p,r)?{binSuffix:"range"}:{}),sort:h===!0||!V(h)?{field:n.vgField(r,{}),op:"min"}:h}]);{let{
bin:g}=p;if(We(g)){let m=k5(n,p.field,g);return dr([new Wt(()=>{let y=n.getSignalName(m);return`[${y}.start, ${y}.stop]`})])}else return dr([{data:n.requestDataName(
d),field:n.vgField(r,{})}])}}else if(p.timeUnit&&Ee(["time","utc"],e)){let g=i[Yi(r)];if(KR(p,g,a,s)){let m=n.requestDataName(d),y=Ba({fieldDef:p,fieldDef2:g,markDef:a,
config:s}),b=qd(o)&&y!==.5&&wt(r);return dr([{data:m,field:n.vgField(r,b?{suffix:z1}:{})},{data:m,field:n.vgField(r,{suffix:b?L1:"end"})}])}}return dr(h?[{data:Ld(
h)?n.requestDataName(d):n.requestDataName(it.Raw),field:n.vgField(r),sort:h}]:[{data:n.requestDataName(d),field:n.vgField(r)}])}function xE(e,t){let{op:n,field:r,
order:i}=e;return{op:n??(t?"sum":D1),...r?{field:ii(r)}:{},...i?{order:i}:{}}}function Hfe(e,t){let n=e.component.scales[t],r=e.specifiedScales[t].domain,i=e.fieldDef(
t)?.bin,a=OR(r)?r:void 0,o=mu(i)&&A1(i.extent)?i.extent:void 0;(a||o)&&n.set("selectionExtent",a??o,!0)}function Yfe(e,t,n){if(!ft(n))return;let r=e.fieldDef(t),
i=r.sort;if(VR(i))return{op:"min",field:tc(r,t),order:"ascending"};let{stack:a}=e,o=a?new Set([...a.groupbyFields,...a.stackBy.map(s=>s.fieldDef.field)]):void 0;
if(Ta(i)){let s=a&&!o.has(i.field);return xE(i,s)}else if(cue(i)){let{encoding:s,order:u}=i,l=e.fieldDef(s),{aggregate:c,field:f}=l,d=a&&!o.has(f);if(Na(c)||Zo(
c))return xE({field:K(l),order:u},d);if(F3(c)||!c)return xE({op:c,field:f,order:u},d)}else{if(i==="descending")return{op:"min",field:e.vgField(t),order:"descend\
ing"};if(Ee(["ascending",void 0],i))return!0}}function DT(e,t){let{aggregate:n,type:r}=e;return n?X(n)&&!jae.has(n)?{valid:!1,reason:Noe(n)}:r==="quantitative"&&
t==="log"?{valid:!1,reason:Boe(e)}:{valid:!0}:{valid:!1,reason:Ooe(e)}}function l3(e,t,n,r){return e.explicit&&t.explicit&&j(Uoe(n,r,e.value,t.value)),{explicit:e.
explicit,value:[...e.value,...t.value]}}function Vfe(e){let t=Mr(e.map(o=>{if(Ma(o)){let{sort:s,...u}=o;return u}return o}),ye),n=Mr(e.map(o=>{if(Ma(o)){let s=o.
sort;return s!==void 0&&!Ld(s)&&("op"in s&&s.op==="count"&&delete s.field,s.order==="ascending"&&delete s.order),s}}).filter(o=>o!==void 0),ye);if(t.length===0)
return;if(t.length===1){let o=e[0];if(Ma(o)&&n.length>0){let s=n[0];if(n.length>1){j(L$);let u=n.filter(l=>V(l)&&"op"in l&&l.op!=="min");n.every(l=>V(l)&&"op"in
l)&&u.length===1?s=u[0]:s=!0}else if(V(s)&&"field"in s){let u=s.field;o.field===u&&(s=s.order?{order:s.order}:!0)}return{...o,sort:s}}return o}let r=Mr(n.map(o=>Ld(
o)||!("op"in o)||X(o.op)&&Y(zae,o.op)?o:(j(joe(o)),!0)),ye),i;r.length===1?i=r[0]:r.length>1&&(j(L$),i=!0);let a=Mr(e.map(o=>Ma(o)?o.data:null),o=>o);return a.length===
1&&a[0]!==null?{data:a[0],fields:t.map(s=>s.field),...i?{sort:i}:{}}:{fields:t,...i?{sort:i}:{}}}function M5(e){if(Ma(e)&&X(e.field))return e.field;if(iR(e)){let t;
for(let n of e.fields)if(Ma(n)&&X(n.field)){if(!t)t=n.field;else if(t!==n.field)return j(Woe),t}return j(Goe),t}else if(Wae(e)){j(Hoe);let t=e.fields[0];return X(
t)?t:void 0}}function hu(e,t){let r=e.component.scales[t].get("domains").map(i=>(Ma(i)&&(i.data=e.lookupDataSource(i.data)),i));return Vfe(r)}function Xfe(e,t,n,r){
e.encode??={},e.encode[t]??={},e.encode[t].update??={},e.encode[t].update[n]=r}function LN(e,t){if(et(e)){let r=e.fieldDef(t);if(r?.field)return r.field}let n=(e.
children??[]).map(r=>LN(r,t)).filter(r=>!!r);if(n.length>0){let r=Mr(n,ye);return r.length===1?r[0]:void 0}}function Kfe(e,t,n){if(t===n)return!0;let r=e.getScaleType(
t),i=e.getScaleType(n);if(!r||!i)return!1;let a=ft(r),o=ft(i);return a===o}function Qfe(e,t){return e?`field:${e}`:`channel:${String(t)}`}function Zfe(e){if(R(e)){
let t=e.filter(vE);return t.length>0?t:null}if(iR(e)){let t=[];if(t.push(...e.fields.flatMap(n=>R(n)?n.filter(vE):[])),t.length>0)return Mr(t,ye)}return null}function c3(e,t){
try{let n=hu(e,t);return Zfe(n)}catch{return null}}function Jfe(e,t,n){let r=c3(e,t),i=c3(e,n);return r&&i?Mr([...r,...i],ye):null}function $T(e,t,n){t&&t.length>
0&&(e.getWithExplicit("values")?.explicit||(n&&j(n),e.set("values",t,!1)))}function ede(e,t,n){let r=e.getScaleComponent(t),i=e.getScaleComponent(n);if(!r||!i)return!1;
let a=r.getWithExplicit("domains"),o=i.getWithExplicit("domains");if(!(a?.explicit&&o?.explicit))return!1;let s=hu(e,t),u=hu(e,n);return ye(s)===ye(u)}function UN(e){
let t=e.component.legends,n={};for(let i of q(t)){let a=LN(e,i),o=Qfe(a,i);if(!n[o]){n[o]=[{channel:i,cmpt:t[i].clone()}];continue}let s=!1;for(let u of n[o]){if(!Kfe(
e,u.channel,i))continue;if(BN(u.cmpt,t[i])){let c=e.getScaleType(u.channel),f=e.getScaleType(i);c&&f&&ft(c)&&ft(f)&&(ede(e,u.channel,i)?$T(u.cmpt,c3(e,u.channel)):
$T(u.cmpt,Jfe(e,u.channel,i),Yoe(u.channel,i))),s=!0;break}}s||n[o].push({channel:i,cmpt:t[i].clone()})}return $t(n).flat().map(i=>tde(i.cmpt,e.config)).filter(
i=>i!==void 0)}function tde(e,t){let{disable:n,labelExpr:r,selections:i,...a}=e.combine();if(!n){if(t.aria===!1&&a.aria==null&&(a.aria=!1),a.encode?.symbols){let o=a.
encode.symbols.update;o.fill&&o.fill.value!=="transparent"&&!o.stroke&&!a.stroke&&(o.stroke={value:"transparent"});for(let s of _O)a[s]&&delete o[s]}if(a.title||
delete a.title,r!==void 0){let o=r;a.encode?.labels?.update&&ne(a.encode.labels.update.text)&&(o=jl(r,"datum.label",a.encode.labels.update.text.signal)),Xfe(a,"\
labels","text",{signal:o})}return a}}function nde(e){return sc(e)||D5(e)?rde(e):qN(e)}function rde(e){return e.children.reduce((t,n)=>t.concat(n.assembleProjections()),
qN(e))}function qN(e){let t=e.component.projection;if(!t||t.merged)return[];let n=t.combine(),{name:r}=n;if(t.data){let i={signal:`[${t.size.map(o=>o.signal).join(
", ")}]`},a=t.data.reduce((o,s)=>{let u=ne(s)?s.signal:`data('${e.lookupDataSource(s)}')`;return Ee(o,u)||o.push(u),o},[]);if(a.length<=0)throw new Error("Proje\
ction's fit didn't find any data sources");return[{name:r,size:i,fit:{signal:a.length>1?`[${a.join(", ")}]`:a[0]},...n}]}else return[{name:r,translate:{signal:"\
[width / 2, height / 2]"},...n}]}var ide=["type","clipAngle","clipExtent","center","rotate","precision","reflectX","reflectY","coefficient","distance","fraction",
"lobes","parallel","radius","ratio","spacing","tilt"],Qm=class extends Pa{specifiedProjection;size;data;merged=!1;constructor(t,n,r,i){super({...n},{name:t}),this.
specifiedProjection=n,this.size=r,this.data=i}get isFit(){return!!this.data}};function jN(e){e.component.projection=et(e)?ade(e):ude(e)}function ade(e){if(e.hasProjection){
let t=tn(e.specifiedProjection),n=!(t&&(t.scale!=null||t.translate!=null)),r=n?[e.getSizeSignalRef("width"),e.getSizeSignalRef("height")]:void 0,i=n?ode(e):void 0,
a=new Qm(e.projectionName(!0),{...tn(e.config.projection),...t},r,i);return a.get("type")||a.set("type","equalEarth",!1),a}}function ode(e){let t=[],{encoding:n}=e;
for(let r of[[di,fi],[Rr,hi]])(Dt(n[r[0]])||Dt(n[r[1]]))&&t.push({signal:e.getName(`geojson_${t.length}`)});return e.channelHasField(Kn)&&e.typedFieldDef(Kn).type===
ac&&t.push({signal:e.getName(`geojson_${t.length}`)}),t.length===0&&t.push(e.requestDataName(it.Main)),t}function sde(e,t){let n=LT(ide,i=>!!(!Y(e.explicit,i)&&
!Y(t.explicit,i)||Y(e.explicit,i)&&Y(t.explicit,i)&&Dr(e.get(i),t.get(i))));if(Dr(e.size,t.size)){if(n)return e;if(Dr(e.explicit,{}))return t;if(Dr(t.explicit,{}))
return e}return null}function ude(e){if(e.children.length===0)return;let t;for(let r of e.children)jN(r);let n=LT(e.children,r=>{let i=r.component.projection;if(i)
if(t){let a=sde(t,i);return a&&(t=a),!!a}else return t=i,!0;else return!0});if(t&&n){let r=e.projectionName(!0),i=new Qm(r,t.specifiedProjection,t.size,de(t.data));
for(let a of e.children){let o=a.component.projection;o&&(o.isFit&&i.data.push(...a.component.projection.data),a.renameProjection(o.get("name"),r),o.merged=!0)}
return i}}function WN(e){return sc(e)||D5(e)?e.children.reduce((t,n)=>t.concat(WN(n)),TT(e)):TT(e)}function TT(e){return q(e.component.scales).reduce((t,n)=>{let r=e.
component.scales[n];if(r.merged)return t;let i=r.combine(),{name:a,type:o,selectionExtent:s,domains:u,range:l,reverse:c,...f}=i,d=lde(i.range,a,n,e),h=hu(e,n),p=s?
mce(e,s,r,h):null;return t.push({name:a,type:o,...h?{domain:h}:{},...p?{domainRaw:p}:{},range:d,...c!==void 0?{reverse:c}:{},...f}),t},[])}function lde(e,t,n,r){
if(wt(n)){if(yu(e))return{step:{signal:`${t}_step`}}}else if(V(e)&&Ma(e))return{...e,data:r.lookupDataSource(e.data)};return e}var Zm=class extends Pa{merged=!1;constructor(t,n){
super({},{name:t}),this.setWithExplicit("type",n)}domainHasZero(){let t=this.get("type");if(Ee([nn.LOG,nn.TIME,nn.UTC],t))return"definitely-not";let n=this.get(
"zero");if(n===!0||n===void 0&&Ee([nn.LINEAR,nn.SQRT,nn.POW],t))return"definitely";let r=this.get("domains");if(r.length>0){let i=!1,a=!1,o=!1;for(let s of r){if(R(
s)){let u=s[0],l=s[s.length-1];if(we(u)&&we(l))if(u<=0&&l>=0){i=!0;continue}else{a=!0;continue}}o=!0}if(i)return"definitely";if(a&&!o)return"definitely-not"}return"\
maybe"}},cde=["range","scheme"];function fde(e){let t=e.component.scales;for(let n of k3){let r=t[n];if(!r)continue;let i=dde(n,e);r.setWithExplicit("range",i)}}
function RT(e,t){let n=e.fieldDef(t);if(n?.bin){let{bin:r,field:i}=n,a=Qn(t),o=e.getName(a);if(V(r)&&r.binned&&r.step!==void 0)return new Wt(()=>{let s=e.scaleName(
t),u=`(domain("${s}")[1] - domain("${s}")[0]) / ${r.step}`;return`${e.getSignalName(o)} / (${u})`});if(We(r)){let s=k5(e,i,r);return new Wt(()=>{let u=e.getSignalName(
s),l=`(${u}.stop - ${u}.start) / ${u}.step`;return`${e.getSignalName(o)} / (${l})`})}}}function dde(e,t){let n=t.specifiedScales[e],{size:r}=t,a=t.getScaleComponent(
e).get("type");for(let f of cde)if(n[f]!==void 0){let d=_E(a,f),h=NR(e,f);if(!d)j(gR(a,f,e));else if(h)j(h);else switch(f){case"range":{let p=n.range;if(R(p)){if(wt(
e))return Ii(p.map(g=>{if(g==="width"||g==="height"){let m=t.getName(g),y=t.getSignalName.bind(t);return Wt.fromName(y,m)}return g}))}else if(V(p))return Ii({data:t.
requestDataName(it.Main),field:p.field,sort:{op:"min",field:t.vgField(e)}});return Ii(p)}case"scheme":return Ii(hde(n[f]))}}let o=e===Xe||e==="xOffset"?"width":
"height",s=r[o];if(ji(s)){if(wt(e))if(ft(a)){let f=HN(s,t,e);if(f)return Ii({step:f})}else j(mR(o));else if(rh(e)){let f=e===Oa?"x":"y";if(t.getScaleComponent(f).
get("type")==="band"){let p=YN(s,a);if(p)return Ii(p)}}}let{rangeMin:u,rangeMax:l}=n,c=pde(e,t);return(u!==void 0||l!==void 0)&&_E(a,"rangeMin")&&R(c)&&c.length===
2?Ii([u??c[0],l??c[1]]):dr(c)}function hde(e){return Tse(e)?{scheme:e.name,...Tr(e,["name"])}:{scheme:e}}function GN(e,t,n,{center:r}={}){let i=Qn(e),a=t.getName(
i),o=t.getSignalName.bind(t);return e===Tt&&ai(n)?r?[Wt.fromName(s=>`${o(s)}/2`,a),Wt.fromName(s=>`-${o(s)}/2`,a)]:[Wt.fromName(o,a),0]:r?[Wt.fromName(s=>`-${o(
s)}/2`,a),Wt.fromName(s=>`${o(s)}/2`,a)]:[0,Wt.fromName(o,a)]}function pde(e,t){let{size:n,config:r,mark:i,encoding:a}=t,{type:o}=Dt(a[e]),u=t.getScaleComponent(
e).get("type"),{domain:l,domainMid:c}=t.specifiedScales[e];switch(e){case Xe:case Tt:{if(Ee(["point","band"],u)){let f=VN(e,n,r.view);if(ji(f))return{step:HN(f,
t,e)}}return GN(e,t,u)}case Oa:case ic:return gde(e,t,u);case Ga:{let f=bde(i,r),d=xde(i,n,t,r);return Hl(u)?yde(f,d,mde(u,r,l,e)):[f,d]}case Or:return[0,Math.PI*
2];case pu:return[0,360];case ci:return[0,new Wt(()=>{let f=t.getSignalName(pr(t.parent)?"child_width":"width"),d=t.getSignalName(pr(t.parent)?"child_height":"h\
eight");return`min(${f},${d})/2`})];case Yo:return{step:1e3/r.scale.framesPerSecond};case Ko:return[r.scale.minStrokeWidth,r.scale.maxStrokeWidth];case Qo:return[
[1,0],[4,2],[2,1],[1,1],[1,2,4,2]];case Kn:return"symbol";case Xn:case Gi:case Hi:return u==="ordinal"?o==="nominal"?"category":"ordinal":c!==void 0?"diverging":
i==="rect"||i==="geoshape"?"heatmap":"ramp";case Ha:case Vo:case Xo:return[r.scale.minOpacity,r.scale.maxOpacity]}}function HN(e,t,n){let{encoding:r}=t,i=t.getScaleComponent(
n),a=E3(n),o=r[a];if(FO({step:e,offsetIsDiscrete:he(o)&&j3(o.type)})==="offset"&&uO(r,a)){let u=t.getScaleComponent(a),c=`domain('${t.scaleName(a)}').length`;if(u.
get("type")==="band"){let d=u.get("paddingInner")??u.get("padding")??0,h=u.get("paddingOuter")??u.get("padding")??0;c=`bandspace(${c}, ${d}, ${h})`}let f=i.get(
"paddingInner")??i.get("padding");return{signal:`${e.step} * ${c} / (1-${Xae(f)})`}}else return e.step}function YN(e,t){if(FO({step:e,offsetIsDiscrete:ft(t)})===
"offset")return{step:e.step}}function gde(e,t,n){let r=e===Oa?"x":"y",i=t.getScaleComponent(r);if(!i)return GN(r,t,n,{center:!0});let a=i.get("type"),o=t.scaleName(
r),{markDef:s,config:u}=t;if(a==="band"){let l=VN(r,t.size,t.config.view);if(ji(l)){let c=YN(l,n);if(c)return c}return[0,{signal:`bandwidth('${o}')`}]}else{let l=t.
encoding[r];if(U(l)&&l.timeUnit){let c=_R(l.timeUnit,p=>`scale('${o}', ${p})`),f=t.config.scale.bandWithNestedOffsetPaddingInner,d=Ba({fieldDef:l,markDef:s,config:u})-
.5,h=d!==0?` + ${d}`:"";if(f){let p=ne(f)?`${f.signal}/2${h}`:`${f/2+d}`,g=ne(f)?`(1 - ${f.signal}/2)${h}`:`${1-f/2+d}`;return[{signal:`${p} * (${c})`},{signal:`${g}\
 * (${c})`}]}return[0,{signal:c}]}return lae(`Cannot use ${e} scale if ${r} scale is not discrete.`)}}function VN(e,t,n){let r=e===Xe?"width":"height",i=t[r];return i!==
void 0?i:Ym(n,r)}function mde(e,t,n,r){switch(e){case"quantile":return t.scale.quantileCount;case"quantize":return t.scale.quantizeCount;case"threshold":return n!==
void 0&&R(n)?n.length+1:(j(nse(r)),3)}}function yde(e,t,n){let r=()=>{let i=ni(t),a=ni(e),o=`(${i} - ${a}) / (${n} - 1)`;return`sequence(${a}, ${i} + ${o}, ${o}\
)`};return ne(t)?new Wt(r):{signal:r()}}function bde(e,t){switch(e){case"bar":case"tick":return t.scale.minBandSize;case"line":case"trail":case"rule":return t.scale.
minStrokeWidth;case"text":return t.scale.minFontSize;case"point":case"square":case"circle":return t.scale.minSize}throw new Error(E1("size",e))}var OT=.95;function xde(e,t,n,r){
let i={x:RT(n,"x"),y:RT(n,"y")};switch(e){case"bar":case"tick":{if(r.scale.maxBandSize!==void 0)return r.scale.maxBandSize;let a=NT(t,i,r.view);return we(a)?a-1:
new Wt(()=>`${a.signal} - 1`)}case"line":case"trail":case"rule":return r.scale.maxStrokeWidth;case"text":return r.scale.maxFontSize;case"point":case"square":case"\
circle":{if(r.scale.maxSize)return r.scale.maxSize;let a=NT(t,i,r.view);return we(a)?Math.pow(OT*a,2):new Wt(()=>`pow(${OT} * ${a.signal}, 2)`)}}throw new Error(
E1("size",e))}function NT(e,t,n){let r=ji(e.width)?e.width.step:DE(n,"width"),i=ji(e.height)?e.height.step:DE(n,"height");return t.x||t.y?new Wt(()=>`min(${[t.x?
t.x.signal:r,t.y?t.y.signal:i].join(", ")})`):Math.min(r,i)}function XN(e,t){et(e)?vde(e,t):QN(e,t)}function vde(e,t){let n=e.component.scales,{config:r,encoding:i,
markDef:a,specifiedScales:o}=e;for(let s of q(n)){let u=o[s],l=n[s],c=e.getScaleComponent(s),f=Dt(i[s]),d=u[t],h=c.get("type"),p=c.get("padding"),g=c.get("paddi\
ngInner"),m=_E(h,t),y=NR(s,t);if(d!==void 0&&(m?y&&j(y):j(gR(h,t,s))),m&&y===void 0)if(d!==void 0){let b=f.timeUnit,x=f.type;switch(t){case"domainMax":case"doma\
inMin":bu(u[t])||x==="temporal"||b?l.set(t,{signal:O1(u[t],{type:x,timeUnit:b})},!0):l.set(t,u[t],!0);break;default:l.copyKeyFromObject(t,u)}}else{let b=W(BT,t)?
BT[t]({model:e,channel:s,fieldOrDatumDef:f,scaleType:h,scalePadding:p,scalePaddingInner:g,domain:u.domain,domainMin:u.domainMin,domainMax:u.domainMax,markDef:a,
config:r,hasNestedOffsetScale:lO(i,s),hasSecondaryRangeChannel:!!i[Yi(s)]}):r.scale[t];b!==void 0&&l.set(t,b,!1)}}}var BT={bins:({model:e,fieldOrDatumDef:t})=>U(
t)?wde(e,t):void 0,interpolate:({channel:e,fieldOrDatumDef:t})=>Ade(e,t.type),nice:({scaleType:e,channel:t,domain:n,domainMin:r,domainMax:i,fieldOrDatumDef:a})=>Ede(
e,t,n,r,i,a),padding:({channel:e,scaleType:t,fieldOrDatumDef:n,markDef:r,config:i})=>Sde(e,t,i.scale,n,r,i.bar),paddingInner:({scalePadding:e,channel:t,markDef:n,
scaleType:r,config:i,hasNestedOffsetScale:a})=>Cde(e,t,n.type,r,i.scale,a),paddingOuter:({scalePadding:e,channel:t,scaleType:n,scalePaddingInner:r,config:i,hasNestedOffsetScale:a})=>_de(
e,t,n,r,i.scale,a),reverse:({fieldOrDatumDef:e,scaleType:t,channel:n,config:r})=>{let i=U(e)?e.sort:void 0;return kde(t,i,n,r.scale)},zero:({channel:e,fieldOrDatumDef:t,
domain:n,markDef:r,scaleType:i,config:a,hasSecondaryRangeChannel:o})=>Fde(e,t,n,r,i,a.scale,o)};function KN(e){et(e)?fde(e):QN(e,"range")}function QN(e,t){let n=e.
component.scales;for(let r of e.children)t==="range"?KN(r):XN(r,t);for(let r of q(n)){let i;for(let a of e.children){let o=a.component.scales[r];if(o){let s=o.getWithExplicit(
t);i=qo(i,s,t,"scale",UO((u,l)=>t==="range"&&u.step&&l.step?u.step-l.step:0))}}n[r].setWithExplicit(t,i)}}function wde(e,t){let n=t.bin;if(We(n)){let r=k5(e,t.field,
n);return new Wt(()=>e.getSignalName(r))}else if(en(n)&&mu(n)&&n.step!==void 0)return{step:n.step}}function Ade(e,t){if(Ee([Xn,Gi,Hi],e)&&t!=="nominal")return"h\
cl"}function Ede(e,t,n,r,i,a){if(!(si(a)?.bin||R(n)||i!=null||r!=null||Ee([nn.TIME,nn.UTC],e)))return wt(t)?!0:void 0}function Sde(e,t,n,r,i,a){if(wt(e)){if(zi(
t)){if(n.continuousPadding!==void 0)return n.continuousPadding;let{type:o,orient:s}=i;if(o==="bar"&&!(U(r)&&(r.bin||r.timeUnit))&&(s==="vertical"&&e==="x"||s===
"horizontal"&&e==="y"))return a.continuousBandSize}if(t===nn.POINT)return n.pointPadding}}function Cde(e,t,n,r,i,a=!1){if(e===void 0){if(wt(t)){let{bandPaddingInner:o,
barBandPaddingInner:s,rectBandPaddingInner:u,tickBandPaddingInner:l,bandWithNestedOffsetPaddingInner:c}=i;return a?c:Ct(o,n==="bar"?s:n==="tick"?l:u)}else if(rh(
t)&&r===nn.BAND)return i.offsetBandPaddingInner}}function _de(e,t,n,r,i,a=!1){if(e===void 0){if(wt(t)){let{bandPaddingOuter:o,bandWithNestedOffsetPaddingOuter:s}=i;
if(a)return s;if(n===nn.BAND)return Ct(o,ne(r)?{signal:`${r.signal}/2`}:r/2)}else if(rh(t)){if(n===nn.POINT)return .5;if(n===nn.BAND)return i.offsetBandPaddingOuter}}}
function kde(e,t,n,r){if(n==="x"&&r.xReverse!==void 0)return ai(e)&&t==="descending"?ne(r.xReverse)?{signal:`!${r.xReverse.signal}`}:!r.xReverse:r.xReverse;if(ai(
e)&&t==="descending")return!0}function Fde(e,t,n,r,i,a,o){if(!!n&&n!=="unaggregated"&&ai(i)){if(R(n)){let u=n[0],l=n[n.length-1];if(we(u)&&u<=0&&we(l)&&l>=0)return!0}
return!1}if(e==="size"&&t.type==="quantitative"&&!Hl(i))return!0;if(!(U(t)&&t.bin)&&Ee([...Ya,...Dae],e)){let{orient:u,type:l}=r;return Ee(["bar","area","line",
"trail"],l)&&(u==="horizontal"&&e==="y"||u==="vertical"&&e==="x")?!1:Ee(["bar","area"],l)&&!o?!0:a?.zero}return!1}function Mde(e,t,n,r,i=!1){let a=Dde(t,n,r,i),
{type:o}=e;return Vi(t)?o!==void 0?zse(t,o)?U(n)&&!Ise(o,n.type)?(j(zoe(o,a)),a):o:(j(Ioe(t,o,a)),a):a:null}function Dde(e,t,n,r){switch(t.type){case"nominal":case"\
ordinal":{if(Ll(e)||sE(e)==="discrete")return e==="shape"&&t.type==="ordinal"&&j(uE(e,"ordinal")),"ordinal";if(oE(e))return"band";if(wt(e)||rh(e)){if(Ee(["rect",
"bar","image","rule","tick"],n.type)||r)return"band"}else if(n.type==="arc"&&e in _3)return"band";let i=n[Qn(e)];return su(i)||Vl(t)&&t.axis?.tickBand?"band":"p\
oint"}case"temporal":return Ll(e)?"time":sE(e)==="discrete"?(j(uE(e,"temporal")),"ordinal"):U(t)&&t.timeUnit&&Gt(t.timeUnit).utc?"utc":oE(e)?"band":"time";case"\
quantitative":return Ll(e)?U(t)&&We(t.bin)?"bin-ordinal":"linear":sE(e)==="discrete"?(j(uE(e,"quantitative")),"ordinal"):oE(e)?"band":"linear";case"geojson":return}
throw new Error(hR(t.type))}function $de(e,{ignoreRange:t}={}){ZN(e),zN(e);for(let n of Pse)XN(e,n);t||KN(e)}function ZN(e){et(e)?e.component.scales=Tde(e):e.component.
scales=Ode(e)}function Tde(e){let{encoding:t,mark:n,markDef:r}=e,i={};for(let a of k3){let o=Dt(t[a]);if(o&&n===IR&&a===Kn&&o.type===ac)continue;let s=o&&o.scale;
if(o&&s!==null&&s!==!1){s??={};let u=lO(t,a),l=Mde(s,a,o,r,u);i[a]=new Zm(e.scaleName(`${a}`,!0),{value:l,explicit:s.type===l})}}return i}var Rde=UO((e,t)=>q$(e)-
q$(t));function Ode(e){let t=e.component.scales={},n={},r=e.component.resolve;for(let i of e.children){ZN(i);for(let a of q(i.component.scales))if(r.scale[a]??=
DN(a,e),r.scale[a]==="shared"){let o=n[a],s=i.component.scales[a].getWithExplicit("type");o?kse(o.value,s.value)?n[a]=qo(o,s,"type","scale",Rde):(r.scale[a]="in\
dependent",delete n[a]):n[a]=s}}for(let i of q(n)){let a=e.scaleName(i,!0),o=n[i];t[i]=new Zm(a,o);for(let s of e.children){let u=s.component.scales[i];u&&(s.renameScale(
u.get("name"),a),u.merged=!0)}}return t}var Pd=class{nameMap;constructor(){this.nameMap={}}rename(t,n){this.nameMap[t]=n}has(t){return this.nameMap[t]!==void 0}get(t){
for(;this.nameMap[t]&&t!==this.nameMap[t];)t=this.nameMap[t];return t}};function et(e){return e?.type==="unit"}function pr(e){return e?.type==="facet"}function D5(e){
return e?.type==="concat"}function sc(e){return e?.type==="layer"}var Zd=class{type;parent;config;name;size;title;description;data;transforms;layout;scaleNameMap;projectionNameMap;signalNameMap;component;view;constructor(t,n,r,i,a,o,s){
this.type=n,this.parent=r,this.config=a,this.parent=r,this.config=a,this.view=tn(s),this.name=t.name??i,this.title=Io(t.title)?{text:t.title}:t.title?tn(t.title):
void 0,this.scaleNameMap=r?r.scaleNameMap:new Pd,this.projectionNameMap=r?r.projectionNameMap:new Pd,this.signalNameMap=r?r.signalNameMap:new Pd,this.data=t.data,
this.description=t.description,this.transforms=Xle(t.transform??[]),this.layout=n==="layer"||n==="unit"?{}:nle(t,n,a),this.component={data:{sources:r?r.component.
data.sources:[],outputNodes:r?r.component.data.outputNodes:{},outputNodeRefCounts:r?r.component.data.outputNodeRefCounts:{},isFaceted:$1(t)||r?.component.data.isFaceted&&
t.data===void 0},layoutSize:new Pa,layoutHeaders:{row:{},column:{},facet:{}},mark:null,resolve:{scale:{},axis:{},legend:{},...o?de(o):{}},selection:null,scales:null,
projection:null,axes:{},legends:{}}}get width(){return this.getSizeSignalRef("width")}get height(){return this.getSizeSignalRef("height")}parse(){this.parseScale(),
this.parseLayoutSize(),this.renameTopLevelLayoutSizeSignal(),this.parseSelections(),this.parseProjection(),this.parseData(),this.parseAxesAndHeaders(),this.parseLegends(),
this.parseMarkGroup()}parseScale(){$de(this)}parseProjection(){jN(this)}renameTopLevelLayoutSizeSignal(){this.getName("width")!=="width"&&this.renameSignal(this.
getName("width"),"width"),this.getName("height")!=="height"&&this.renameSignal(this.getName("height"),"height")}parseLegends(){NN(this)}assembleEncodeFromView(t){
let{style:n,...r}=t,i={};for(let a of q(r)){let o=r[a];o!==void 0&&(i[a]=Ve(o))}return i}assembleGroupEncodeEntry(t){let n={};return this.view&&(n=this.assembleEncodeFromView(
this.view)),!t&&(this.description&&(n.description=Ve(this.description)),this.type==="unit"||this.type==="layer")?{width:this.getSizeSignalRef("width"),height:this.
getSizeSignalRef("height"),...n}:je(n)?void 0:n}assembleLayout(){if(!this.layout)return;let{spacing:t,...n}=this.layout,{component:r,config:i}=this,a=ufe(r.layoutHeaders,
i);return{padding:t,...this.assembleDefaultLayout(),...n,...a?{titleBand:a}:{}}}assembleDefaultLayout(){return{}}assembleHeaderMarks(){let{layoutHeaders:t}=this.
component,n=[];for(let r of $r)t[r].title&&n.push(nfe(this,r));for(let r of E5)n=n.concat(rfe(this,r));return n}assembleAxes(){return jce(this.component.axes,this.
config)}assembleLegends(){return UN(this)}assembleProjections(){return nde(this)}assembleTitle(){let{encoding:t,...n}=this.title??{},r={...rR(this.config.title).
nonMarkTitleProperties,...n,...t?{encode:{update:t}}:{}};if(r.text)return Ee(["unit","layer"],this.type)?Ee(["middle",void 0],r.anchor)&&(r.frame??="group"):r.anchor??=
"start",je(r)?void 0:r}assembleGroup(t=[]){let n={};t=t.concat(this.assembleSignals()),t.length>0&&(n.signals=t);let r=this.assembleLayout();r&&(n.layout=r),n.marks=
[].concat(this.assembleHeaderMarks(),this.assembleMarks());let i=!this.parent||pr(this.parent)?WN(this):[];i.length>0&&(n.scales=i);let a=this.assembleAxes();a.
length>0&&(n.axes=a);let o=this.assembleLegends();return o.length>0&&(n.legends=o),n}getName(t){return rt((this.name?`${this.name}_`:"")+t)}getDataName(t){return this.
getName(it[t].toLowerCase())}requestDataName(t){let n=this.getDataName(t),r=this.component.data.outputNodeRefCounts;return r[n]=(r[n]||0)+1,n}getSizeSignalRef(t){
if(pr(this.parent)){let n=FN(t),r=v1(n),i=this.component.scales[r];if(i&&!i.merged){let a=i.get("type"),o=i.get("range");if(ft(a)&&yu(o)){let s=i.get("name"),u=hu(
this,r),l=M5(u);if(l){let c=K({aggregate:"distinct",field:l},{expr:"datum"});return{signal:kN(s,i,c)}}else return j(D3(r)),null}}}return{signal:this.signalNameMap.
get(this.getName(t))}}lookupDataSource(t){let n=this.component.data.outputNodes[t];return n?n.getSource():t}getSignalName(t){return this.signalNameMap.get(t)}renameSignal(t,n){
this.signalNameMap.rename(t,n)}renameScale(t,n){this.scaleNameMap.rename(t,n)}renameProjection(t,n){this.projectionNameMap.rename(t,n)}scaleName(t,n){if(n)return this.
getName(t);if(XT(t)&&Vi(t)&&this.component.scales[t]||this.scaleNameMap.has(this.getName(t)))return this.scaleNameMap.get(this.getName(t))}projectionName(t){if(t)
return this.getName("projection");if(this.component.projection&&!this.component.projection.merged||this.projectionNameMap.has(this.getName("projection")))return this.
projectionNameMap.get(this.getName("projection"))}getScaleComponent(t){if(!this.component.scales)throw new Error("getScaleComponent cannot be called before pars\
eScale(). Make sure you have called parseScale or use parseUnitModelWithScale().");let n=this.component.scales[t];return n&&!n.merged?n:this.parent?this.parent.
getScaleComponent(t):void 0}getScaleType(t){let n=this.getScaleComponent(t);return n?n.get("type"):void 0}getSelectionComponent(t,n){let r=this.component.selection[t];
if(!r&&this.parent&&(r=this.parent.getSelectionComponent(t,n)),!r)throw new Error(eoe(n));return r}hasAxisOrientSignalRef(){return this.component.axes.x?.some(t=>t.
hasOrientSignalRef())||this.component.axes.y?.some(t=>t.hasOrientSignalRef())}},Jm=class extends Zd{vgField(t,n={}){let r=this.fieldDef(t);if(r)return K(r,n)}reduceFieldDef(t,n){
return $ue(this.getMapping(),(r,i,a)=>{let o=si(i);return o?t(r,o,a):r},n)}forEachFieldDef(t,n){a5(this.getMapping(),(r,i)=>{let a=si(r);a&&t(a,i)},n)}},e1=class e extends $e{transform;clone(){
return new e(null,de(this.transform))}constructor(t,n){super(t),this.transform=n,this.transform=de(n);let r=this.transform.as??[void 0,void 0];this.transform.as=
[r[0]??"value",r[1]??"density"];let i=this.transform.resolve??"shared";this.transform.resolve=i}dependentFields(){return new Set([this.transform.density,...this.
transform.groupby??[]])}producedFields(){return new Set(this.transform.as)}hash(){return`DensityTransform ${ye(this.transform)}`}assemble(){let{density:t,...n}=this.
transform,r={type:"kde",field:t,...n};return r.resolve=this.transform.resolve,r}},t1=class e extends $e{transform;clone(){return new e(null,de(this.transform))}constructor(t,n){
super(t),this.transform=n,this.transform=de(n)}dependentFields(){return new Set([this.transform.extent])}producedFields(){return new Set([])}hash(){return`Exten\
tTransform ${ye(this.transform)}`}assemble(){let{extent:t,param:n}=this.transform;return{type:"extent",field:t,signal:n}}},n1=class e extends $e{transform;clone(){
return new e(this.parent,de(this.transform))}constructor(t,n){super(t),this.transform=n,this.transform=de(n);let{flatten:r,as:i=[]}=this.transform;this.transform.
as=r.map((a,o)=>i[o]??a)}dependentFields(){return new Set(this.transform.flatten)}producedFields(){return new Set(this.transform.as)}hash(){return`FlattenTransf\
orm ${ye(this.transform)}`}assemble(){let{flatten:t,as:n}=this.transform;return{type:"flatten",fields:t,as:n}}},r1=class e extends $e{transform;clone(){return new e(
null,de(this.transform))}constructor(t,n){super(t),this.transform=n,this.transform=de(n);let r=this.transform.as??[void 0,void 0];this.transform.as=[r[0]??"key",
r[1]??"value"]}dependentFields(){return new Set(this.transform.fold)}producedFields(){return new Set(this.transform.as)}hash(){return`FoldTransform ${ye(this.transform)}`}assemble(){
let{fold:t,as:n}=this.transform;return{type:"fold",fields:t,as:n}}},i1=class e extends $e{fields;geojson;signal;clone(){return new e(null,de(this.fields),this.geojson,
this.signal)}static parseAll(t,n){if(n.component.projection&&!n.component.projection.isFit)return t;let r=0;for(let i of[[di,fi],[Rr,hi]]){let a=i.map(o=>{let s=Dt(
n.encoding[o]);return U(s)?s.field:Xi(s)?{expr:`${s.datum}`}:oi(s)?{expr:`${s.value}`}:void 0});(a[0]||a[1])&&(t=new e(t,a,null,n.getName(`geojson_${r++}`)))}if(n.
channelHasField(Kn)){let i=n.typedFieldDef(Kn);i.type===ac&&(t=new e(t,null,i.field,n.getName(`geojson_${r}`)))}return t}constructor(t,n,r,i){super(t),this.fields=
n,this.geojson=r,this.signal=i}dependentFields(){let t=(this.fields??[]).filter(X);return new Set([...this.geojson?[this.geojson]:[],...t])}producedFields(){return new Set}hash(){
return`GeoJSON ${this.geojson} ${this.signal} ${ye(this.fields)}`}assemble(){return[...this.geojson?[{type:"filter",expr:`isValid(datum["${this.geojson}"])`}]:[],
{type:"geojson",...this.fields?{fields:this.fields}:{},...this.geojson?{geojson:this.geojson}:{},signal:this.signal}]}},a1=class e extends $e{projection;fields;as;clone(){
return new e(null,this.projection,de(this.fields),de(this.as))}constructor(t,n,r,i){super(t),this.projection=n,this.fields=r,this.as=i}static parseAll(t,n){if(!n.
projectionName())return t;for(let r of[[di,fi],[Rr,hi]]){let i=r.map(o=>{let s=Dt(n.encoding[o]);return U(s)?s.field:Xi(s)?{expr:`${s.datum}`}:oi(s)?{expr:`${s.
value}`}:void 0}),a=r[0]===Rr?"2":"";(i[0]||i[1])&&(t=new e(t,n.projectionName(),i,[n.getName(`x${a}`),n.getName(`y${a}`)]))}return t}dependentFields(){return new Set(
this.fields.filter(X))}producedFields(){return new Set(this.as)}hash(){return`Geopoint ${this.projection} ${ye(this.fields)} ${ye(this.as)}`}assemble(){return{type:"\
geopoint",projection:this.projection,fields:this.fields,as:this.as}}},Jd=class e extends $e{transform;clone(){return new e(null,de(this.transform))}constructor(t,n){
super(t),this.transform=n}dependentFields(){return new Set([this.transform.impute,this.transform.key,...this.transform.groupby??[]])}producedFields(){return new Set(
[this.transform.impute])}processSequence(t){let{start:n=0,stop:r,step:i}=t;return{signal:`sequence(${[n,r,...i?[i]:[]].join(",")})`}}static makeFromTransform(t,n){
return new e(t,n)}static makeFromEncoding(t,n){let r=n.encoding,i=r.x,a=r.y;if(U(i)&&U(a)){let o=i.impute?i:a.impute?a:void 0;if(o===void 0)return;let s=i.impute?
a:a.impute?i:void 0,{method:u,value:l,frame:c,keyvals:f}=o.impute,d=dO(n.mark,r);return new e(t,{impute:o.field,key:s.field,...u?{method:u}:{},...l!==void 0?{value:l}:
{},...c?{frame:c}:{},...f!==void 0?{keyvals:f}:{},...d.length?{groupby:d}:{}})}return null}hash(){return`Impute ${ye(this.transform)}`}assemble(){let{impute:t,key:n,
keyvals:r,method:i,groupby:a,value:o,frame:s=[null,null]}=this.transform,u={type:"impute",field:t,key:n,...r?{keyvals:Dle(r)?this.processSequence(r):r}:{},method:"\
value",...a?{groupby:a}:{},value:!i||i==="value"?o:null};if(i&&i!=="value"){let l={type:"window",as:[`imputed_${t}_value`],ops:[i],fields:[t],frame:s,ignorePeers:!1,
...a?{groupby:a}:{}},c={type:"formula",expr:`datum.${t} === null ? datum.imputed_${t}_value : datum.${t}`,as:t};return[u,l,c]}else return[u]}},o1=class e extends $e{transform;clone(){
return new e(null,de(this.transform))}constructor(t,n){super(t),this.transform=n,this.transform=de(n);let r=this.transform.as??[void 0,void 0];this.transform.as=
[r[0]??n.on,r[1]??n.loess]}dependentFields(){return new Set([this.transform.loess,this.transform.on,...this.transform.groupby??[]])}producedFields(){return new Set(
this.transform.as)}hash(){return`LoessTransform ${ye(this.transform)}`}assemble(){let{loess:t,on:n,...r}=this.transform;return{type:"loess",x:n,y:t,...r}}},s1=class e extends $e{transform;secondary;clone(){
return new e(null,de(this.transform),this.secondary)}constructor(t,n,r){super(t),this.transform=n,this.secondary=r}static make(t,n,r,i){let a=n.component.data.sources,
{from:o}=r,s=null;if($le(o)){let u=tB(o.data,a);u||(u=new Ua(o.data),a.push(u));let l=n.getName(`lookup_${i}`);s=new bn(u,l,it.Lookup,n.component.data.outputNodeRefCounts),
n.component.data.outputNodes[l]=s}else if(Tle(o)){let u=o.param;r={as:u,...r};let l;try{l=n.getSelectionComponent(rt(u),u)}catch{throw new Error(ioe(u))}if(s=l.
materialized,!s)throw new Error(aoe(u))}return new e(t,r,s.getSource())}dependentFields(){return new Set([this.transform.lookup])}producedFields(){return new Set(
this.transform.as?H(this.transform.as):this.transform.from.fields)}hash(){return`Lookup ${ye({transform:this.transform,secondary:this.secondary})}`}assemble(){let t;
if(this.transform.from.fields)t={values:this.transform.from.fields,...this.transform.as?{as:H(this.transform.as)}:{}};else{let n=this.transform.as;X(n)||(j(moe),
n="_lookup"),t={as:[n]}}return{type:"lookup",from:this.secondary,key:this.transform.from.key,fields:[this.transform.lookup],...t,...this.transform.default?{default:this.
transform.default}:{}}}},u1=class e extends $e{transform;clone(){return new e(null,de(this.transform))}constructor(t,n){super(t),this.transform=n,this.transform=
de(n);let r=this.transform.as??[void 0,void 0];this.transform.as=[r[0]??"prob",r[1]??"value"]}dependentFields(){return new Set([this.transform.quantile,...this.
transform.groupby??[]])}producedFields(){return new Set(this.transform.as)}hash(){return`QuantileTransform ${ye(this.transform)}`}assemble(){let{quantile:t,...n}=this.
transform;return{type:"quantile",field:t,...n}}},l1=class e extends $e{transform;clone(){return new e(null,de(this.transform))}constructor(t,n){super(t),this.transform=
n,this.transform=de(n);let r=this.transform.as??[void 0,void 0];this.transform.as=[r[0]??n.on,r[1]??n.regression]}dependentFields(){return new Set([this.transform.
regression,this.transform.on,...this.transform.groupby??[]])}producedFields(){return new Set(this.transform.as)}hash(){return`RegressionTransform ${ye(this.transform)}`}assemble(){
let{regression:t,on:n,...r}=this.transform;return{type:"regression",x:n,y:t,...r}}},c1=class e extends $e{transform;clone(){return new e(null,de(this.transform))}constructor(t,n){
super(t),this.transform=n}addDimensions(t){this.transform.groupby=Mr((this.transform.groupby??[]).concat(t),n=>n)}producedFields(){}dependentFields(){return new Set(
[this.transform.pivot,this.transform.value,...this.transform.groupby??[]])}hash(){return`PivotTransform ${ye(this.transform)}`}assemble(){let{pivot:t,value:n,groupby:r,
limit:i,op:a}=this.transform;return{type:"pivot",field:t,value:n,...i!==void 0?{limit:i}:{},...a!==void 0?{op:a}:{},...r!==void 0?{groupby:r}:{}}}},f1=class e extends $e{transform;clone(){
return new e(null,de(this.transform))}constructor(t,n){super(t),this.transform=n}dependentFields(){return new Set}producedFields(){return new Set}hash(){return`\
SampleTransform ${ye(this.transform)}`}assemble(){return{type:"sample",size:this.transform.sample}}};function JN(e){let t=0;function n(r,i){if(r instanceof Ua&&
!r.isGenerator&&!Zl(r.data)&&(e.push(i),i={name:null,source:i.name,transform:[]}),r instanceof On&&(r.parent instanceof Ua&&!i.source?(i.format={...i.format,parse:r.
assembleFormatParse()},i.transform.push(...r.assembleTransforms(!0))):i.transform.push(...r.assembleTransforms())),r instanceof Go){i.name||(i.name=`data_${t++}`),
!i.source||i.transform.length>0?(e.push(i),r.data=i.name):r.data=i.source,e.push(...r.assemble());return}switch((r instanceof Yd||r instanceof Vd||r instanceof Qd||
r instanceof ec||r instanceof Hd||r instanceof a1||r instanceof La||r instanceof s1||r instanceof rc||r instanceof fu||r instanceof r1||r instanceof n1||r instanceof
e1||r instanceof o1||r instanceof u1||r instanceof l1||r instanceof Ho||r instanceof f1||r instanceof c1||r instanceof t1)&&i.transform.push(r.assemble()),(r instanceof
Wo||r instanceof jo||r instanceof Jd||r instanceof du||r instanceof i1)&&i.transform.push(...r.assemble()),r instanceof bn&&(i.source&&i.transform.length===0?r.
setSource(i.source):r.parent instanceof bn?r.setSource(i.name):(i.name||(i.name=`data_${t++}`),r.setSource(i.name),r.numChildren()===1&&(e.push(i),i={name:null,
source:i.name,transform:[]}))),r.numChildren()){case 0:r instanceof bn&&(!i.source||i.transform.length>0)&&e.push(i);break;case 1:n(r.children[0],i);break;default:{
i.name||(i.name=`data_${t++}`);let a=i.name;!i.source||i.transform.length>0?e.push(i):a=i.source;for(let o of r.children)n(o,{name:null,source:a,transform:[]});
break}}}return n}function Nde(e){let t=[],n=JN(t);for(let r of e.children)n(r,{source:e.name,name:null,transform:[]});return t}function Bde(e,t){let n=[],r=JN(n),
i=0;for(let o of e.sources){o.hasName()||(o.dataName=`source_${i++}`);let s=o.assemble();r(o,s)}for(let o of n)o.transform.length===0&&delete o.transform;let a=0;
for(let[o,s]of n.entries())(s.transform??[]).length===0&&!s.source&&n.splice(a++,0,n.splice(o,1)[0]);for(let o of n)for(let s of o.transform??[])s.type==="looku\
p"&&(s.from=e.outputNodes[s.from].getSource());for(let o of n)o.name in t&&(o.values=t[o.name]);return n}function Pde(e){return e==="top"||e==="left"||ne(e)?"he\
ader":"footer"}function Ide(e){for(let t of $r)zde(e,t);PT(e,"x"),PT(e,"y")}function zde(e,t){let{facet:n,config:r,child:i,component:a}=e;if(e.channelHasField(t)){
let o=n[t],s=nc("title",null,r,t),u=Ul(o,r,{allowDisabling:!0,includeDefault:s===void 0||!!s});i.component.layoutHeaders[t].title&&(u=R(u)?u.join(", "):u,u+=` /\
 ${i.component.layoutHeaders[t].title}`,i.component.layoutHeaders[t].title=null);let l=nc("labelOrient",o.header,r,t),c=o.header!==null?Ct(o.header?.labels,r.header.
labels,!0):!1,f=Ee(["bottom","right"],l)?"footer":"header";a.layoutHeaders[t]={title:o.header!==null?u:null,facetFieldDef:o,[f]:t==="facet"?[]:[eB(e,t,c)]}}}function eB(e,t,n){
let r=t==="row"?"height":"width";return{labels:n,sizeSignal:e.child.component.layoutSize.get(r)?e.child.getSizeSignalRef(r):void 0,axes:[]}}function PT(e,t){let{
child:n}=e;if(n.component.axes[t]){let{layoutHeaders:r,resolve:i}=e.component;if(i.axis[t]=_5(i,t),i.axis[t]==="shared"){let a=t==="x"?"column":"row",o=r[a];for(let s of n.
component.axes[t]){let u=Pde(s.get("orient"));o[u]??=[eB(e,a,!1)];let l=Nd(s,"main",e.config,{header:!0});l&&o[u][0].axes.push(l),s.mainExtracted=!0}}}}function Lde(e){
$5(e),d1(e,"width"),d1(e,"height")}function Ude(e){$5(e);let t=e.layout.columns===1?"width":"childWidth",n=e.layout.columns===void 0?"height":"childHeight";d1(e,
t),d1(e,n)}function $5(e){for(let t of e.children)t.parseLayoutSize()}function d1(e,t){let n=FN(t),r=v1(n),i=e.component.resolve,a=e.component.layoutSize,o;for(let s of e.
children){let u=s.component.layoutSize.getWithExplicit(n),l=i.scale[r]??DN(r,e);if(l==="independent"&&u.value==="step"){o=void 0;break}if(o){if(l==="independent"&&
o.value!==u.value){o=void 0;break}o=qo(o,u,n,"")}else o=u}if(o){for(let s of e.children)e.renameSignal(s.getName(n),e.getName(t)),s.component.layoutSize.set(n,"\
merged",!1);a.setWithExplicit(t,o)}else a.setWithExplicit(t,{explicit:!1,value:void 0})}function qde(e){let{size:t,component:n}=e;for(let r of Ya){let i=Qn(r);if(t[i]!=
null&&t[i]!=null){let a=t[i];n.layoutSize.set(i,ji(a)?"step":a,!0)}else{let a=jde(e,i);n.layoutSize.set(i,a,!1)}}}function jde(e,t){let n=t==="width"?"x":"y",r=e.
config,i=e.getScaleComponent(n);if(i){let a=i.get("type"),o=i.get("range");if(ft(a)){let s=Ym(r.view,t);return yu(o)||ji(s)?"step":s}else return ME(r.view,t)}else{
if(e.hasProjection||e.mark==="arc")return ME(r.view,t);{let a=Ym(r.view,t);return ji(a)?a.step:a}}}function f3(e,t,n){return K(t,{suffix:`by_${K(e)}`,...n})}var d3=class e extends Jm{facet;child;children;constructor(t,n,r,i){
super(t,"facet",n,r,i,t.resolve),this.child=O5(t.spec,this,this.getName("child"),void 0,i),this.children=[this.child],this.facet=this.initFacet(t.facet)}initFacet(t){
if(!sh(t))return{facet:this.initFacetFieldDef(t,"facet")};let n=q(t),r={};for(let i of n){if(![Da,$a].includes(i)){j(E1(i,"facet"));break}let a=t[i];if(a.field===
void 0){j(SE(a,i));break}r[i]=this.initFacetFieldDef(a,i)}return r}initFacetFieldDef(t,n){let r=i5(t,n);return r.header?r.header=tn(r.header):r.header===null&&(r.
header=null),r}channelHasField(t){return W(this.facet,t)}fieldDef(t){return this.facet[t]}parseData(){this.component.data=W1(this),this.child.parseData()}parseLayoutSize(){
$5(this)}parseSelections(){this.child.parseSelections(),this.component.selection=this.child.component.selection,$t(this.component.selection).some(t=>Li(t))&&T3(
$3)}parseMarkGroup(){this.child.parseMarkGroup()}parseAxesAndHeaders(){this.child.parseAxesAndHeaders(),Ide(this)}assembleSelectionTopLevelSignals(t){return this.
child.assembleSelectionTopLevelSignals(t)}assembleSignals(){return this.child.assembleSignals(),[]}assembleSelectionData(t){return this.child.assembleSelectionData(
t)}getHeaderLayoutMixins(){let t={};for(let n of $r)for(let r of S5){let i=this.component.layoutHeaders[n],a=i[r],{facetFieldDef:o}=i;if(o){let s=nc("titleOrien\
t",o.header,this.config,n);if(["right","bottom"].includes(s)){let u=q1(n,s);t.titleAnchor??={},t.titleAnchor[u]="end"}}if(a?.[0]){let s=n==="row"?"height":"widt\
h",u=r==="header"?"headerBand":"footerBand";n!=="facet"&&!this.child.component.layoutSize.get(s)&&(t[u]??={},t[u][n]=.5),i.title&&(t.offset??={},t.offset[n==="r\
ow"?"rowTitle":"columnTitle"]=10)}}return t}assembleDefaultLayout(){let{column:t,row:n}=this.facet,r=t?this.columnDistinctSignal():n?1:void 0,i="all";return(!n&&
this.component.resolve.scale.x==="independent"||!t&&this.component.resolve.scale.y==="independent")&&(i="none"),{...this.getHeaderLayoutMixins(),...r?{columns:r}:
{},bounds:"full",align:i}}assembleLayoutSignals(){return this.child.assembleLayoutSignals()}columnDistinctSignal(){if(!(this.parent&&this.parent instanceof e))return{
signal:`length(data('${this.getName("column_domain")}'))`}}assembleGroupStyle(){}assembleGroup(t){return this.parent&&this.parent instanceof e?{...this.channelHasField(
"column")?{encode:{update:{columns:{field:K(this.facet.column,{prefix:"distinct"})}}}}:{},...super.assembleGroup(t)}:super.assembleGroup(t)}getCardinalityAggregateForChild(){
let t=[],n=[],r=[];if(this.child instanceof e){if(this.child.channelHasField("column")){let i=K(this.child.facet.column);t.push(i),n.push("distinct"),r.push(`di\
stinct_${i}`)}}else for(let i of Ya){let a=this.child.component.scales[i];if(a&&!a.merged){let o=a.get("type"),s=a.get("range");if(ft(o)&&yu(s)){let u=hu(this.child,
i),l=M5(u);l?(t.push(l),n.push("distinct"),r.push(`distinct_${l}`)):j(D3(i))}}}return{fields:t,ops:n,as:r}}assembleFacet(){let{name:t,data:n}=this.component.data.
facetRoot,{row:r,column:i}=this.facet,{fields:a,ops:o,as:s}=this.getCardinalityAggregateForChild(),u=[];for(let c of $r){let f=this.facet[c];if(f){u.push(K(f));
let{bin:d,sort:h}=f;if(We(d)&&u.push(K(f,{binSuffix:"end"})),Ta(h)){let{field:p,op:g=D1}=h,m=f3(f,h);r&&i?(a.push(m),o.push("max"),s.push(m)):(a.push(p),o.push(
g),s.push(m))}else if(R(h)){let p=tc(f,c);a.push(p),o.push("max"),s.push(p)}}}let l=!!r&&!!i;return{name:t,data:n,groupby:u,...l||a.length>0?{aggregate:{...l?{cross:l}:
{},...a.length?{fields:a,ops:o,as:s}:{}}}:{}}}facetSortFields(t){let{facet:n}=this,r=n[t];return r?Ta(r.sort)?[f3(r,r.sort,{expr:"datum"})]:R(r.sort)?[tc(r,t,{expr:"\
datum"})]:[K(r,{expr:"datum"})]:[]}facetSortOrder(t){let{facet:n}=this,r=n[t];if(r){let{sort:i}=r;return[(Ta(i)?i.order:!R(i)&&i)||"ascending"]}return[]}assembleLabelTitle(){
let{facet:t,config:n}=this;if(t.facet)return GE(t.facet,"facet",n);let r={row:["top","bottom"],column:["left","right"]};for(let i of E5)if(t[i]){let a=nc("label\
Orient",t[i]?.header,n,i);if(r[i].includes(a))return GE(t[i],i,n)}}assembleMarks(){let{child:t}=this,n=this.component.data.facetRoot,r=Nde(n),i=t.assembleGroupEncodeEntry(
!1),a=this.assembleLabelTitle()||t.assembleTitle(),o=t.assembleGroupStyle();return[{name:this.getName("cell"),type:"group",...a?{title:a}:{},...o?{style:o}:{},from:{
facet:this.assembleFacet()},sort:{field:$r.map(u=>this.facetSortFields(u)).flat(),order:$r.map(u=>this.facetSortOrder(u)).flat()},...r.length>0?{data:r}:{},...i?
{encode:{update:i}}:{},...t.assembleGroup(dce(this,[]))}]}getMapping(){return this.facet}};function Wde(e,t){let{row:n,column:r}=t;if(n&&r){let i=null;for(let a of[
n,r])if(Ta(a.sort)){let{field:o,op:s=D1}=a.sort;e=i=new fu(e,{joinaggregate:[{op:s,field:o,as:f3(a,a.sort,{forAs:!0})}],groupby:[K(a)]})}return i}return null}function tB(e,t){
for(let n of t){let r=n.data;if(e.name&&n.hasName()&&e.name!==n.dataName)continue;let i=e.format?.mesh,a=r.format?.feature;if(i&&a)continue;let o=e.format?.feature;
if((o||a)&&o!==a)continue;let s=r.format?.mesh;if(!((i||s)&&i!==s)){if(Gd(e)&&Gd(r)){if(Dr(e.values,r.values))return n}else if(Zl(e)&&Zl(r)){if(e.url===r.url)return n}else if(qO(
e)&&e.name===n.dataName)return n}}return null}function Gde(e,t){if(e.data||!e.parent){if(e.data===null){let r=new Ua({values:[]});return t.push(r),r}let n=tB(e.
data,t);if(n)return Lo(e.data)||(n.data.format=cae({},e.data.format,n.data.format)),!n.hasName()&&e.data.name&&(n.dataName=e.data.name),n;{let r=new Ua(e.data);
return t.push(r),r}}else return e.parent.component.data.facetRoot?e.parent.component.data.facetRoot:e.parent.component.data.main}function Hde(e,t,n){let r=0;for(let i of t.
transforms){let a,o;if(qle(i))o=e=new Hd(e,i),a="derived";else if(g5(i)){let s=Ofe(i);o=e=On.makeWithAncestors(e,{},s,n)??e,e=new ec(e,t,i.filter)}else if(IO(i))
o=e=Wo.makeFromTransform(e,i,t),a="number";else if(Wle(i))a="date",n.getWithExplicit(i.field).value===void 0&&(e=new On(e,{[i.field]:a}),n.set(i.field,a,!1)),o=
e=jo.makeFromTransform(e,i);else if(Gle(i))o=e=La.makeFromTransform(e,i),a="number",A5(t)&&(e=new Ho(e));else if(PO(i))o=e=s1.make(e,t,i,r++),a="derived";else if(zle(
i))o=e=new rc(e,i),a="number";else if(Lle(i))o=e=new fu(e,i),a="number";else if(Hle(i))o=e=du.makeFromTransform(e,i),a="derived";else if(Yle(i))o=e=new r1(e,i),
a="derived";else if(Vle(i))o=e=new t1(e,i),a="derived";else if(Ule(i))o=e=new n1(e,i),a="derived";else if(Rle(i))o=e=new c1(e,i),a="derived";else if(Ile(i))e=new f1(
e,i);else if(jle(i))o=e=Jd.makeFromTransform(e,i),a="derived";else if(Ole(i))o=e=new e1(e,i),a="derived";else if(Nle(i))o=e=new u1(e,i),a="derived";else if(Ble(
i))o=e=new l1(e,i),a="derived";else if(Ple(i))o=e=new o1(e,i),a="derived";else{j(goe(i));continue}if(o&&a!==void 0)for(let s of o.producedFields()??[])n.set(s,a,
!1)}return e}function W1(e){let t=Gde(e,e.component.data.sources),{outputNodes:n,outputNodeRefCounts:r}=e.component.data,i=e.data,o=!(i&&(Lo(i)||Zl(i)||Gd(i)))&&
e.parent?e.parent.component.data.ancestorParse.clone():new PE;Lo(i)?(jO(i)?t=new Vd(t,i.sequence):m5(i)&&(t=new Yd(t,i.graticule)),o.parseNothing=!0):i?.format?.
parse===null&&(o.parseNothing=!0),t=On.makeExplicit(t,e,o)??t,t=new Ho(t);let s=e.parent&&sc(e.parent);(et(e)||pr(e))&&s&&(t=Wo.makeFromEncoding(t,e)??t),e.transforms.
length>0&&(t=Hde(t,e,o));let u=Bfe(e),l=Nfe(e);t=On.makeWithAncestors(t,{},{...u,...l},o)??t,et(e)&&(t=i1.parseAll(t,e),t=a1.parseAll(t,e)),(et(e)||pr(e))&&(s||
(t=Wo.makeFromEncoding(t,e)??t),t=jo.makeFromEncoding(t,e)??t,t=Hd.parseAllForSortIndex(t,e));let c=t=Om(it.Raw,e,t);if(et(e)){let m=La.makeFromEncoding(t,e);m&&
(t=m,A5(e)&&(t=new Ho(t))),t=Jd.makeFromEncoding(t,e)??t,t=du.makeFromEncoding(t,e)??t}let f,d;if(et(e)){let{markDef:m,mark:y,config:b}=e,x=Re("invalid",m,b),{marks:v,
scales:w}=d=GO({invalid:x,isPath:Jo(y)});v!==w&&w==="include-invalid-values"&&(f=t=Om(it.PreFilterInvalid,e,t)),v==="exclude-invalid-values"&&(t=Qd.make(t,e,d)??
t)}let h=t=Om(it.Main,e,t),p;if(et(e)&&d){let{marks:m,scales:y}=d;m==="include-invalid-values"&&y==="exclude-invalid-values"&&(t=Qd.make(t,e,d)??t,p=t=Om(it.PostFilterInvalid,
e,t))}et(e)&&Uce(e,h);let g=null;if(pr(e)){let m=e.getName("facet");t=Wde(t,e.facet)??t,g=new Go(t,e,m,h.getSource()),n[m]=g}return{...e.component.data,outputNodes:n,
outputNodeRefCounts:r,raw:c,main:h,facetRoot:g,ancestorParse:o,preFilterInvalid:f,postFilterInvalid:p}}function Om(e,t,n){let{outputNodes:r,outputNodeRefCounts:i}=t.
component.data,a=t.getDataName(e),o=new bn(n,a,e,i);return r[a]=o,o}var h3=class extends Zd{children;constructor(t,n,r,i){super(t,"concat",n,r,i,t.resolve),(t.resolve?.
axis?.x==="shared"||t.resolve?.axis?.y==="shared")&&j(doe),this.children=this.getChildren(t).map((a,o)=>O5(a,this,this.getName(`concat_${o}`),void 0,i))}parseData(){
this.component.data=W1(this);for(let t of this.children)t.parseData()}parseSelections(){this.component.selection={};for(let t of this.children){t.parseSelections();
for(let n of q(t.component.selection))this.component.selection[n]=t.component.selection[n]}$t(this.component.selection).some(t=>Li(t))&&T3($3)}parseMarkGroup(){
for(let t of this.children)t.parseMarkGroup()}parseAxesAndHeaders(){for(let t of this.children)t.parseAxesAndHeaders()}getChildren(t){return B1(t)?t.vconcat:p5(
t)?t.hconcat:t.concat}parseLayoutSize(){Ude(this)}parseAxisGroup(){return null}assembleSelectionTopLevelSignals(t){return this.children.reduce((n,r)=>r.assembleSelectionTopLevelSignals(
n),t)}assembleSignals(){return this.children.forEach(t=>t.assembleSignals()),[]}assembleLayoutSignals(){let t=C5(this);for(let n of this.children)t.push(...n.assembleLayoutSignals());
return t}assembleSelectionData(t){return this.children.reduce((n,r)=>r.assembleSelectionData(n),t)}assembleMarks(){return this.children.map(t=>{let n=t.assembleTitle(),
r=t.assembleGroupStyle(),i=t.assembleGroupEncodeEntry(!1);return{type:"group",name:t.getName("group"),...n?{title:n}:{},...r?{style:r}:{},...i?{encode:{update:i}}:
{},...t.assembleGroup()}})}assembleGroupStyle(){}assembleDefaultLayout(){let t=this.layout.columns;return{...t!=null?{columns:t}:{},bounds:"full",align:"each"}}};
function Yde(e){return e===!1||e===null}var Vde={disable:1,gridScale:1,scale:1,...oO,labelExpr:1,encode:1},nB=q(Vde),p3=class e extends Pa{explicit;implicit;mainExtracted;constructor(t={},n={},r=!1){
super(),this.explicit=t,this.implicit=n,this.mainExtracted=r}clone(){return new e(de(this.explicit),de(this.implicit),this.mainExtracted)}hasAxisPart(t){return t===
"axis"?!0:t==="grid"||t==="title"?!!this.get(t):!Yde(this.get(t))}hasOrientSignalRef(){return ne(this.explicit.orient)}};function Xde(e,t,n){let{encoding:r,config:i}=e,
a=Dt(r[t])??Dt(r[Yi(t)]),o=e.axis(t)||{},{format:s,formatType:u}=o;if(uu(u))return{text:ri({fieldOrDatumDef:a,field:"datum.value",format:s,formatType:u,config:i}),
...n};if(s===void 0&&u===void 0&&i.customFormatTypes){if(Yl(a)==="quantitative"){if(Vl(a)&&a.stack==="normalize"&&i.normalizedNumberFormatType)return{text:ri({fieldOrDatumDef:a,
field:"datum.value",format:i.normalizedNumberFormat,formatType:i.normalizedNumberFormatType,config:i}),...n};if(i.numberFormatType)return{text:ri({fieldOrDatumDef:a,
field:"datum.value",format:i.numberFormat,formatType:i.numberFormatType,config:i}),...n}}if(Yl(a)==="temporal"&&i.timeFormatType&&U(a)&&!a.timeUnit)return{text:ri(
{fieldOrDatumDef:a,field:"datum.value",format:i.timeFormat,formatType:i.timeFormatType,config:i}),...n}}return n}function Kde(e){return Ya.reduce((t,n)=>(e.component.
scales[n]&&(t[n]=[rhe(n,e)]),t),{})}var Qde={bottom:"top",top:"bottom",left:"right",right:"left"};function Zde(e){let{axes:t,resolve:n}=e.component,r={top:0,bottom:0,
right:0,left:0};for(let i of e.children){i.parseAxesAndHeaders();for(let a of q(i.component.axes))n.axis[a]=_5(e.component.resolve,a),n.axis[a]==="shared"&&(t[a]=
Jde(t[a],i.component.axes[a]),t[a]||(n.axis[a]="independent",delete t[a]))}for(let i of Ya){for(let a of e.children)if(a.component.axes[i]){if(n.axis[i]==="inde\
pendent"){t[i]=(t[i]??[]).concat(a.component.axes[i]);for(let o of a.component.axes[i]){let{value:s,explicit:u}=o.getWithExplicit("orient");if(!ne(s)){if(r[s]>0&&
!u){let l=Qde[s];r[s]>r[l]&&o.set("orient",l,!1)}r[s]++}}}delete a.component.axes[i]}if(n.axis[i]==="independent"&&t[i]&&t[i].length>1)for(let[a,o]of(t[i]||[]).
entries())a>0&&o.get("grid")&&!o.explicit.grid&&(o.implicit.grid=!1)}}function Jde(e,t){if(e){if(e.length!==t.length)return;let n=e.length;for(let r=0;r<n;r++){
let i=e[r],a=t[r];if(!!i!=!!a)return;if(i&&a){let o=i.getWithExplicit("orient"),s=a.getWithExplicit("orient");if(o.explicit&&s.explicit&&o.value!==s.value)return;
e[r]=ehe(i,a)}}}else return t.map(n=>n.clone());return e}function ehe(e,t){for(let n of nB){let r=qo(e.getWithExplicit(n),t.getWithExplicit(n),n,"axis",(i,a)=>{
switch(n){case"title":return fR(i,a);case"gridScale":return{explicit:i.explicit,value:Ct(i.value,a.value)}}return I1(i,a,n,"axis")});e.setWithExplicit(n,r)}return e}
function the(e,t,n,r,i){if(t==="disable")return n!==void 0;switch(n=n||{},t){case"titleAngle":case"labelAngle":return e===(ne(n.labelAngle)?n.labelAngle:zm(n.labelAngle));case"\
values":return!!n.values;case"encode":return!!n.encoding||!!n.labelAngle;case"title":if(e===EN(r,i))return!0}return e===n[t]}var nhe=new Set(["grid","translate",
"format","formatType","orient","labelExpr","tickCount","position","tickMinStep"]);function rhe(e,t){let n=t.axis(e),r=new p3,i=Dt(t.encoding[e]),{mark:a,config:o}=t,
s=n?.orient||o[e==="x"?"axisX":"axisY"]?.orient||o.axis?.orient||Qce(e),u=t.getScaleComponent(e).get("type"),l=Wce(e,u,s,t.config),c=n!==void 0?!n:jE("disable",
o.style,n?.style,l).configValue;if(r.set("disable",c,n!==void 0),c)return r;n=n||{};let f=Vce(i,n,e,o.style,l),d=HR(n.formatType,i,u),h=GR(i,i.type,n.format,n.formatType,
o,!0),p={fieldOrDatumDef:i,axis:n,channel:e,model:t,scaleType:u,orient:s,labelAngle:f,format:h,formatType:d,mark:a,config:o};for(let y of nB){let b=y in AT?AT[y](
p):X$(y)?n[y]:void 0,x=b!==void 0,v=the(b,y,n,t,e);if(x&&v)r.set(y,b,v);else{let{configValue:w=void 0,configFrom:E=void 0}=X$(y)&&y!=="values"?jE(y,o.style,n.style,
l):{},A=w!==void 0;x&&!A?r.set(y,b,v):(E!=="vgAxisConfig"||nhe.has(y)&&A||fh(w)||ne(w))&&r.set(y,w,!1)}}let g=n.encoding??{},m=aO.reduce((y,b)=>{if(!r.hasAxisPart(
b))return y;let x=MN(g[b]??{},t),v=b==="labels"?Xde(t,e,x):x;return v!==void 0&&!je(v)&&(y[b]={update:v}),y},{});return je(m)||r.set("encode",m,!!n.encoding||n.
labelAngle!==void 0),r}function ihe({encoding:e,size:t}){for(let n of Ya){let r=Qn(n);ji(t[r])&&zo(e[n])&&(delete t[r],j(mR(r)))}return t}var ahe={vgMark:"arc",
encodeEntry:e=>({...Nr(e,{align:"ignore",baseline:"ignore",color:"include",size:"ignore",orient:"ignore",theta:"ignore"}),...Rn("x",e,{defaultPos:"mid"}),...Rn(
"y",e,{defaultPos:"mid"}),...Ia(e,"radius"),...Ia(e,"theta")})},ohe={vgMark:"area",encodeEntry:e=>({...Nr(e,{align:"ignore",baseline:"ignore",color:"include",orient:"\
include",size:"ignore",theta:"ignore"}),...Vm("x",e,{defaultPos:"zeroOrMin",defaultPos2:"zeroOrMin",range:e.markDef.orient==="horizontal"}),...Vm("y",e,{defaultPos:"\
zeroOrMin",defaultPos2:"zeroOrMin",range:e.markDef.orient==="vertical"}),...w5(e)})},she={vgMark:"rect",encodeEntry:e=>({...Nr(e,{align:"ignore",baseline:"ignor\
e",color:"include",orient:"ignore",size:"ignore",theta:"ignore"}),...Ia(e,"x"),...Ia(e,"y")})},uhe={vgMark:"shape",encodeEntry:e=>({...Nr(e,{align:"ignore",baseline:"\
ignore",color:"include",size:"ignore",orient:"ignore",theta:"ignore"})}),postEncodingTransform:e=>{let{encoding:t}=e,n=t.shape;return[{type:"geoshape",projection:e.
projectionName(),...n&&U(n)&&n.type===ac?{field:K(n,{expr:"datum"})}:{}}]}},lhe={vgMark:"image",encodeEntry:e=>({...Nr(e,{align:"ignore",baseline:"ignore",color:"\
ignore",orient:"ignore",size:"ignore",theta:"ignore"}),...Ia(e,"x"),...Ia(e,"y"),...b5(e,"url")})},che={vgMark:"line",encodeEntry:e=>({...Nr(e,{align:"ignore",baseline:"\
ignore",color:"include",size:"ignore",orient:"ignore",theta:"ignore"}),...Rn("x",e,{defaultPos:"mid"}),...Rn("y",e,{defaultPos:"mid"}),...rn("size",e,{vgChannel:"\
strokeWidth"}),...w5(e)})},fhe={vgMark:"trail",encodeEntry:e=>({...Nr(e,{align:"ignore",baseline:"ignore",color:"include",size:"include",orient:"ignore",theta:"\
ignore"}),...Rn("x",e,{defaultPos:"mid"}),...Rn("y",e,{defaultPos:"mid"}),...rn("size",e),...w5(e)})};function T5(e,t){let{config:n}=e;return{...Nr(e,{align:"ig\
nore",baseline:"ignore",color:"include",size:"include",orient:"ignore",theta:"ignore"}),...Rn("x",e,{defaultPos:"mid"}),...Rn("y",e,{defaultPos:"mid"}),...rn("s\
ize",e),...rn("angle",e),...dhe(e,n,t)}}function dhe(e,t,n){return n?{shape:{value:n}}:rn("shape",e)}var hhe={vgMark:"symbol",encodeEntry:e=>T5(e)},phe={vgMark:"\
symbol",encodeEntry:e=>T5(e,"circle")},ghe={vgMark:"symbol",encodeEntry:e=>T5(e,"square")},mhe={vgMark:"rect",encodeEntry:e=>({...Nr(e,{align:"ignore",baseline:"\
ignore",color:"include",orient:"ignore",size:"ignore",theta:"ignore"}),...Ia(e,"x"),...Ia(e,"y")})},yhe={vgMark:"rule",encodeEntry:e=>{let{markDef:t}=e,n=t.orient;
return!e.encoding.x&&!e.encoding.y&&!e.encoding.latitude&&!e.encoding.longitude?{}:{...Nr(e,{align:"ignore",baseline:"ignore",color:"include",orient:"ignore",size:"\
ignore",theta:"ignore"}),...Vm("x",e,{defaultPos:n==="horizontal"?"zeroOrMax":"mid",defaultPos2:"zeroOrMin",range:n!=="vertical"}),...Vm("y",e,{defaultPos:n==="\
vertical"?"zeroOrMax":"mid",defaultPos2:"zeroOrMin",range:n!=="horizontal"}),...rn("size",e,{vgChannel:"strokeWidth"})}}},bhe={vgMark:"text",encodeEntry:e=>{let{
config:t,encoding:n}=e;return{...Nr(e,{align:"include",baseline:"include",color:"include",size:"ignore",orient:"ignore",theta:"include"}),...Rn("x",e,{defaultPos:"\
mid"}),...Rn("y",e,{defaultPos:"mid"}),...b5(e),...rn("size",e,{vgChannel:"fontSize"}),...rn("angle",e),...bT("align",xhe(e.markDef,n,t)),...bT("baseline",vhe(e.
markDef,n,t)),...Rn("radius",e,{defaultPos:null}),...Rn("theta",e,{defaultPos:null})}}};function xhe(e,t,n){if(Re("align",e,n)===void 0)return"center"}function vhe(e,t,n){
if(Re("baseline",e,n)===void 0)return"middle"}var whe={vgMark:"rect",encodeEntry:e=>{let{config:t,markDef:n}=e,r=n.orient,i=r==="horizontal"?"x":"y",a=r==="hori\
zontal"?"y":"x",o=r==="horizontal"?"height":"width";return{...Nr(e,{align:"ignore",baseline:"ignore",color:"include",orient:"ignore",size:"ignore",theta:"ignore"}),
...Ia(e,i),...Rn(a,e,{defaultPos:"mid",vgChannel:a==="y"?"yc":"xc"}),[o]:Ve(Re("thickness",n,t))}}},Nm={arc:ahe,area:ohe,bar:she,circle:phe,geoshape:uhe,image:lhe,
line:che,point:hhe,rect:mhe,rule:yhe,square:ghe,text:bhe,tick:whe,trail:fhe};function Ahe(e){if(Ee([F1,_1,jse],e.mark)){let t=dO(e.mark,e.encoding);if(t.length>
0)return Ehe(e,t)}else if(e.mark===k1){let t=AE.some(n=>Re(n,e.markDef,e.config));if(e.stack&&!e.fieldDef("size")&&t)return She(e)}return R5(e)}var IT="faceted_\
path_";function Ehe(e,t){return[{name:e.getName("pathgroup"),type:"group",from:{facet:{name:IT+e.requestDataName(it.Main),data:e.requestDataName(it.Main),groupby:t}},
encode:{update:{width:{field:{group:"width"}},height:{field:{group:"height"}}}},marks:R5(e,{fromPrefix:IT})}]}var zT="stack_group_";function She(e){let[t]=R5(e,
{fromPrefix:zT}),n=e.scaleName(e.stack.fieldChannel),r=(l={})=>e.vgField(e.stack.fieldChannel,l),i=(l,c)=>{let f=[r({prefix:"min",suffix:"start",expr:c}),r({prefix:"\
max",suffix:"start",expr:c}),r({prefix:"min",suffix:"end",expr:c}),r({prefix:"max",suffix:"end",expr:c})];return`${l}(${f.map(d=>`scale('${n}',${d})`).join(",")}\
)`},a,o;e.stack.fieldChannel==="x"?(a={...Id(t.encode.update,["y","yc","y2","height",...AE]),x:{signal:i("min","datum")},x2:{signal:i("max","datum")},clip:{value:!0}},
o={x:{field:{group:"x"},mult:-1},height:{field:{group:"height"}}},t.encode.update={...Tr(t.encode.update,["y","yc","y2"]),height:{field:{group:"height"}}}):(a={
...Id(t.encode.update,["x","xc","x2","width"]),y:{signal:i("min","datum")},y2:{signal:i("max","datum")},clip:{value:!0}},o={y:{field:{group:"y"},mult:-1},width:{
field:{group:"width"}}},t.encode.update={...Tr(t.encode.update,["x","xc","x2"]),width:{field:{group:"width"}}});for(let l of AE){let c=Ui(l,e.markDef,e.config);
t.encode.update[l]?(a[l]=t.encode.update[l],delete t.encode.update[l]):c&&(a[l]=Ve(c)),c&&(t.encode.update[l]={value:0})}let s=[];if(e.stack.groupbyChannels?.length>
0)for(let l of e.stack.groupbyChannels){let c=e.fieldDef(l),f=K(c);f&&s.push(f),(c?.bin||c?.timeUnit)&&s.push(K(c,{binSuffix:"end"}))}return a=["stroke","stroke\
Width","strokeJoin","strokeCap","strokeDash","strokeDashOffset","strokeMiterLimit","strokeOpacity"].reduce((l,c)=>{if(t.encode.update[c])return{...l,[c]:t.encode.
update[c]};{let f=Ui(c,e.markDef,e.config);return f!==void 0?{...l,[c]:Ve(f)}:l}},a),a.stroke&&(a.strokeForeground={value:!0},a.strokeOffset={value:0}),[{type:"\
group",from:{facet:{data:e.requestDataName(it.Main),name:zT+e.requestDataName(it.Main),groupby:s,aggregate:{fields:[r({suffix:"start"}),r({suffix:"start"}),r({suffix:"\
end"}),r({suffix:"end"})],ops:["min","max","min","max"]}}},encode:{update:a},marks:[{type:"group",encode:{update:o},marks:[t]}]}]}function Che(e){let{encoding:t,
stack:n,mark:r,markDef:i,config:a}=e,o=t.order;if(!(!R(o)&&oi(o)&&k$(o.value)||!o&&k$(Re("order",i,a)))){if((R(o)||U(o))&&!n)return uR(o,{expr:"datum"});if(Jo(r)){
let s=i.orient==="horizontal"?"y":"x",u=t[s];if(U(u))return{field:s}}}}function R5(e,t={fromPrefix:""}){let{mark:n,markDef:r,encoding:i,config:a}=e,o=Ct(r.clip,
_he(e),khe(e)),s=oR(r),u=i.key,l=Che(e),c=Fhe(e);c&&Object.values(e.component.selection).some(h=>h.type==="point"&&!h.bind&&h.on!=="pointerover")&&(e.markDef.cursor??=
"pointer");let f=Re("aria",r,a),d=Nm[n].postEncodingTransform?Nm[n].postEncodingTransform(e):null;return[{name:e.getName("marks"),type:Nm[n].vgMark,...o?{clip:o}:
{},...s?{style:s}:{},...u?{key:u.field}:{},...l?{sort:l}:{},...c||{},...f===!1?{aria:f}:{},from:{data:t.fromPrefix+e.requestDataName(it.Main)},encode:{update:Nm[n].
encodeEntry(e)},...d?{transform:d}:{}}]}function _he(e){let t=e.getScaleComponent("x"),n=e.getScaleComponent("y");return t?.get("selectionExtent")||n?.get("sele\
ctionExtent")?!0:void 0}function khe(e){let t=e.component.projection;return t&&!t.isFit?!0:void 0}function Fhe(e){if(!e.component.selection)return null;let t=q(
e.component.selection).length,n=t,r=e.parent;for(;r&&n===0;)n=q(r.component.selection).length,r=r.parent;return n?{interactive:t>0||e.mark==="geoshape"||!!e.encoding.
tooltip||!!e.markDef.tooltip}:null}var h1=class extends Jm{markDef;encoding;specifiedScales={};stack;specifiedAxes={};specifiedLegends={};specifiedProjection={};selection=[];children=[];constructor(t,n,r,i={},a){
super(t,"unit",n,r,a,void 0,Q$(t)?t.view:void 0);let o=qi(t.mark)?{...t.mark}:{type:t.mark},s=o.type;o.filled===void 0&&(o.filled=Cle(o,a,{graticule:t.data&&m5(
t.data)}));let u=this.encoding=Mue(t.encoding||{},s,o.filled,a);this.markDef=RO(o,u,a),this.size=ihe({encoding:u,size:Q$(t)?{...i,...t.width!==void 0?{width:t.width}:
{},...t.height!==void 0?{height:t.height}:{}}:i}),this.stack=TO(this.markDef,u),this.specifiedScales=this.initScales(s,u),this.specifiedAxes=this.initAxes(u),this.
specifiedLegends=this.initLegends(u),this.specifiedProjection=t.projection,this.selection=(t.params??[]).filter(l=>d5(l)),this.alignStackOrderWithColorDomain()}get hasProjection(){
let{encoding:t}=this,n=this.mark===IR,r=t&&wae.some(i=>he(t[i]));return n||r}scaleDomain(t){let n=this.specifiedScales[t];return n?n.domain:void 0}axis(t){return this.
specifiedAxes[t]}legend(t){return this.specifiedLegends[t]}initScales(t,n){return k3.reduce((r,i)=>{let a=Dt(n[i]);return a&&(r[i]=this.initScale(a.scale??{})),
r},{})}initScale(t){let{domain:n,range:r}=t,i=tn(t);return R(n)&&(i.domain=n.map(hr)),R(r)&&(i.range=r.map(hr)),i}initAxes(t){return Ya.reduce((n,r)=>{let i=t[r];
if(he(i)||r===Xe&&he(t.x2)||r===Tt&&he(t.y2)){let a=he(i)?i.axis:void 0;n[r]=a&&this.initAxis({...a})}return n},{})}initAxis(t){let n=q(t),r={};for(let i of n){
let a=t[i];r[i]=fh(a)?aR(a):hr(a)}return r}initLegends(t){return Tae.reduce((n,r)=>{let i=Dt(t[r]);if(i&&Oae(r)){let a=i.legend;n[r]=a&&tn(a)}return n},{})}alignStackOrderWithColorDomain(){
let{color:t,fill:n,order:r,xOffset:i,yOffset:a}=this.encoding,o=n||t,s=U(o)?o:void 0,u=s?.field,l=s?.scale,c=s?.type,f=l?.domain,d=i||a,h=U(d)?d:void 0,p=`_${u}\
_sort_index`;if(!r&&Array.isArray(f)&&typeof u=="string"&&c==="nominal")if(h&&!h.sort)h.sort=f;else{if(!this.stack)return;let g=`indexof(${I(f)}, datum['${u}'])`,
m=this.markDef?.orient==="horizontal"?"ascending":"descending";this.transforms.push({calculate:g,as:p}),this.encoding.order={field:p,type:"quantitative",sort:m}}}parseData(){
this.component.data=W1(this)}parseLayoutSize(){qde(this)}parseSelections(){this.component.selection=Lce(this,this.selection)}parseMarkGroup(){this.component.mark=
Ahe(this)}parseAxesAndHeaders(){this.component.axes=Kde(this)}assembleSelectionTopLevelSignals(t){return hce(this,t)}assembleSignals(){return[...vN(this),...fce(
this,[])]}assembleSelectionData(t){return pce(this,t)}assembleLayout(){return null}assembleLayoutSignals(){return C5(this)}correctDataNames=t=>(t.from?.data&&(t.
from.data=this.lookupDataSource(t.from.data),"time"in this.encoding&&(t.from.data=t.from.data+YO)),t.from?.facet?.data&&(t.from.facet.data=this.lookupDataSource(
t.from.facet.data)),t);assembleMarks(){let t=this.component.mark??[];return(!this.parent||!sc(this.parent))&&(t=QO(this,t)),t.map(this.correctDataNames)}assembleGroupStyle(){
let{style:t}=this.view||{};return t!==void 0?t:this.encoding.x||this.encoding.y?"cell":"view"}getMapping(){return this.encoding}get mark(){return this.markDef.type}channelHasField(t){
return eu(this.encoding,t)}fieldDef(t){let n=this.encoding[t];return si(n)}typedFieldDef(t){let n=this.fieldDef(t);return Nn(n)?n:null}},g3=class e extends Zd{children;constructor(t,n,r,i,a){
super(t,"layer",n,r,a,t.resolve,t.view);let o={...i,...t.width?{width:t.width}:{},...t.height?{height:t.height}:{}};this.children=t.layer.map((s,u)=>{if(P1(s))return new e(
s,this,this.getName(`layer_${u}`),o,a);if(Va(s))return new h1(s,this,this.getName(`layer_${u}`),o,a);throw new Error(M3(s))})}parseData(){this.component.data=W1(
this);for(let t of this.children)t.parseData()}parseLayoutSize(){Lde(this)}parseSelections(){this.component.selection={};for(let t of this.children){t.parseSelections();
for(let n of q(t.component.selection))this.component.selection[n]=t.component.selection[n]}$t(this.component.selection).some(t=>Li(t))&&T3($3)}parseMarkGroup(){
for(let t of this.children)t.parseMarkGroup()}parseAxesAndHeaders(){Zde(this)}assembleSelectionTopLevelSignals(t){return this.children.reduce((n,r)=>r.assembleSelectionTopLevelSignals(
n),t)}assembleSignals(){return this.children.reduce((t,n)=>t.concat(n.assembleSignals()),vN(this))}assembleLayoutSignals(){return this.children.reduce((t,n)=>t.
concat(n.assembleLayoutSignals()),C5(this))}assembleSelectionData(t){return this.children.reduce((n,r)=>r.assembleSelectionData(n),t)}assembleGroupStyle(){let t=new Set;
for(let r of this.children)for(let i of H(r.assembleGroupStyle()))t.add(i);let n=Array.from(t);return n.length>1?n:n.length===1?n[0]:void 0}assembleTitle(){let t=super.
assembleTitle();if(t)return t;for(let n of this.children)if(t=n.assembleTitle(),t)return t}assembleLayout(){return null}assembleMarks(){return gce(this,this.children.
flatMap(t=>t.assembleMarks()))}assembleLegends(){return this.children.reduce((t,n)=>t.concat(n.assembleLegends()),UN(this))}};function O5(e,t,n,r,i){if($1(e))return new d3(
e,t,n,i);if(P1(e))return new g3(e,t,n,r,i);if(Va(e))return new h1(e,t,n,r,i);if(Jue(e))return new h3(e,t,n,i);throw new Error(M3(e))}function rB(e,t={}){t.logger&&
rse(t.logger),t.fieldTitle&&nO(t.fieldTitle);try{let n=$O(Eu(t.config,e.config)),r=Qle(e,n),i=O5(r,null,"",void 0,n);return i.parse(),Lfe(i.component.data,i),{spec:Dhe(
i,Mhe(e,r.autosize,n,i),e.datasets,e.usermeta),normalized:r}}finally{t.logger&&ise(),t.fieldTitle&&vue()}}function Mhe(e,t,n,r){let i=r.component.layoutSize.get(
"width"),a=r.component.layoutSize.get("height");if(t===void 0?(t={type:"pad"},r.hasAxisOrientSignalRef()&&(t.resize=!0)):X(t)&&(t={type:t}),i&&a&&rce(t.type)){if(i===
"step"&&a==="step")j(N$()),t.type="pad";else if(i==="step"||a==="step"){let o=i==="step"?"width":"height";j(N$(v1(o)));let s=o==="width"?"height":"width";t.type=
ice(s)}}return{...q(t).length===1&&t.type?t.type==="pad"?{}:{autosize:t.type}:{autosize:t},...lT(n,!1),...lT(e,!0)}}function Dhe(e,t,n={},r){let i=e.config?hle(
e.config):void 0,a=Bde(e.component.data,n),o=e.assembleSelectionData(a),s=e.assembleProjections(),u=e.assembleTitle(),l=e.assembleGroupStyle(),c=e.assembleGroupEncodeEntry(
!0),f=e.assembleLayoutSignals();f=f.filter(p=>(p.name==="width"||p.name==="height")&&p.value!==void 0?(t[p.name]=+p.value,!1):!0);let{params:d,...h}=t;return{$schema:"\
https://vega.github.io/schema/vega/v6.json",...e.description?{description:e.description}:{},...h,...u?{title:u}:{},...l?{style:l}:{},...c?{encode:{update:c}}:{},
data:o,...s.length>0?{projections:s}:{},...e.assembleGroup([...f,...e.assembleSelectionTopLevelSignals([]),...kO(d)]),...i?{config:i}:{},...r?{usermeta:r}:{}}}var nve=uae.
version;var $he=/^data:image\/(?:png|jpeg|gif|webp);base64,/;B5(async(e,t)=>{let n=String(t.$schema).includes("/vega/")?t:rB(t).spec,r="",i=u=>Promise.reject(new Error(
r=`it would load ${u}`)),a={load:i,sanitize:u=>$he.test(u)?Promise.resolve({href:u}):Promise.reject(new Error("not loaded")),http:i,file:i},o={ast:!0},s=new sm(
KA(n,{},o),{expr:d$,loader:a,renderer:"canvas",container:e,hover:!0});if(await s.runAsync(),r!=="")throw new Error(r);return async u=>(await s.toCanvas(u)).toDataURL(
"image/png")});})();
